import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { discoverSkills } from "../../../../src/core/skills/discoverSkills.ts";
import type { SkillCache } from "../../../../src/core/skills/loadSkillFile.ts";
import type { SkillLayer } from "../../../../src/core/skills/skill.ts";
import { temporaryFolder, withLinks } from "../../../fakes/temporaryFolder.ts";
import { skillText } from "./skillText.ts";

/** Paths of skills from `.agents/skills` or, with a dot in front, from the root; true is a good SKILL.md. */
type Tree = Readonly<Record<string, string | true>>;

function rootWith(tree: Tree): string {
	const files = Object.entries(tree).map(([path, text]) => {
		const name = path.split("/").at(-2) ?? "";
		return [path.startsWith(".") ? path : `.agents/skills/${path}`, text === true ? skillText(name) : text];
	});
	return temporaryFolder(Object.fromEntries(files));
}

async function discover(layers: Partial<Record<SkillLayer, Tree>>) {
	const roots = Object.entries(layers).map(([layer, tree]) => ({ layer: layer as SkillLayer, path: rootWith(tree) }));
	const found = await discoverSkills(roots);
	const short = (path: string) => {
		const root = roots.find((candidate) => path.startsWith(candidate.path));
		return `${root?.layer}:${relative(root?.path ?? "", path)}`;
	};
	return {
		skills: found.skills.map(({ file }) => short(file)),
		unused: found.unused.map(({ file, reason, by }) => `${short(file)} ${reason} by ${short(by)}`),
		problems: found.problems.map(({ severity, code, file }) => `${severity} ${code} ${short(file)}`),
		shadows: found.skills.flatMap(({ shadows }) => shadows.map(short)),
	};
}

interface Rule {
	readonly home?: Tree;
	readonly role?: Tree;
	readonly repo?: Tree;
	readonly skills: readonly string[];
	readonly unused?: readonly string[];
	readonly problems?: readonly string[];
}

const rules: Readonly<Record<string, Rule>> = {
	"S0-12: the key is the folder's name, and repo beats base": {
		home: { "x/SKILL.md": skillText("y"), "only-home/SKILL.md": true },
		repo: { "x/SKILL.md": true },
		skills: ["home:.agents/skills/only-home/SKILL.md", "repo:.agents/skills/x/SKILL.md"],
		unused: ["home:.agents/skills/x/SKILL.md shadowed by repo:.agents/skills/x/SKILL.md"],
		problems: ["warning skill.nameMismatch home:.agents/skills/x/SKILL.md"],
	},
	"S0-12: `.disabled` disables": {
		repo: { "x/SKILL.md": true, "x/.disabled": "" },
		skills: [],
		unused: ["repo:.agents/skills/x/SKILL.md disabled by repo:.agents/skills/x/.disabled"],
	},
	"S0-13: files and hidden folders are passed over, other bad names are warned of": {
		repo: {
			"README.md": "",
			".agents/skills/.git/SKILL.md": true,
			"Big_Name/SKILL.md": true,
			[`${"a".repeat(65)}/SKILL.md`]: true,
		},
		skills: [`repo:.agents/skills/Big_Name/SKILL.md`, `repo:.agents/skills/${"a".repeat(65)}/SKILL.md`],
		problems: [
			"warning skill.name repo:.agents/skills/Big_Name/SKILL.md",
			`warning skill.name repo:.agents/skills/${"a".repeat(65)}/SKILL.md`,
		],
	},
	"S0-14: SKILL.md, else skill.md, else no skill": {
		repo: { "a/SKILL.md": true, "b/skill.md": true, "c/README.md": "" },
		skills: ["repo:.agents/skills/a/SKILL.md", "repo:.agents/skills/b/skill.md"],
		problems: ["warning skill.fileName repo:.agents/skills/b/skill.md"],
	},
	"S0-14: one without frontmatter does not load, the others do": {
		repo: { "a/SKILL.md": "no frontmatter", "b/SKILL.md": true, "c/SKILL.md": `\uFEFF${skillText("c")}` },
		skills: ["repo:.agents/skills/b/SKILL.md", "repo:.agents/skills/c/SKILL.md"],
		problems: ["error skill.noFrontmatter repo:.agents/skills/a/SKILL.md"],
	},
	"S0-16: a repo's `.disabled` beside its skill masks the base skill": {
		home: { "x/SKILL.md": true },
		repo: { "x/SKILL.md": true, "x/.disabled": "" },
		skills: [],
		unused: [
			"repo:.agents/skills/x/SKILL.md disabled by repo:.agents/skills/x/.disabled",
			"home:.agents/skills/x/SKILL.md disabled by repo:.agents/skills/x/.disabled",
		],
		problems: ["warning skill.masked repo:.agents/skills/x/.disabled"],
	},
	"S0-16: a repo's `.disabled` alone masks the base skill": {
		home: { "x/SKILL.md": true },
		repo: { "x/.disabled": "" },
		skills: [],
		unused: ["home:.agents/skills/x/SKILL.md disabled by repo:.agents/skills/x/.disabled"],
		problems: ["warning skill.masked repo:.agents/skills/x/.disabled"],
	},
	"S0-16: a base `.disabled` is overridden by an enabled repo skill": {
		home: { "x/SKILL.md": true, "x/.disabled": "" },
		repo: { "x/SKILL.md": true },
		skills: ["repo:.agents/skills/x/SKILL.md"],
		unused: ["home:.agents/skills/x/SKILL.md disabled by home:.agents/skills/x/.disabled"],
	},
	"S0-17: other clients' folders are the lowest part of their layer": {
		home: { "x/SKILL.md": true, ".claude/skills/h/SKILL.md": true },
		repo: { ".claude/skills/x/SKILL.md": true, ".github/skills/x/SKILL.md": true, ".github/skills/g/SKILL.md": true },
		skills: ["repo:.github/skills/g/SKILL.md", "home:.claude/skills/h/SKILL.md", "repo:.claude/skills/x/SKILL.md"],
		unused: [
			"repo:.github/skills/x/SKILL.md shadowed by repo:.claude/skills/x/SKILL.md",
			"home:.agents/skills/x/SKILL.md shadowed by repo:.claude/skills/x/SKILL.md",
		],
	},
	"S0-17: `.agents` comes first in its layer, and its marker masks the rest": {
		repo: {
			"x/SKILL.md": true,
			"y/.disabled": "",
			".claude/skills/x/SKILL.md": true,
			".claude/skills/y/SKILL.md": true,
		},
		skills: ["repo:.agents/skills/x/SKILL.md"],
		unused: [
			"repo:.claude/skills/x/SKILL.md shadowed by repo:.agents/skills/x/SKILL.md",
			"repo:.claude/skills/y/SKILL.md disabled by repo:.agents/skills/y/.disabled",
		],
	},
	"S04: a marker for a role's skill is said aloud": {
		role: { ".claude/skills/x/SKILL.md": true },
		repo: { "x/.disabled": "" },
		skills: [],
		unused: ["role:.claude/skills/x/SKILL.md disabled by repo:.agents/skills/x/.disabled"],
		problems: ["warning skill.masked repo:.agents/skills/x/.disabled"],
	},
	"a marker for a skill that nobody has says nothing": { repo: { "x/.disabled": "" }, skills: [] },
	"a skill that does not load is as if it were not there": {
		home: { "x/SKILL.md": true },
		repo: { "x/SKILL.md": "broken" },
		skills: ["home:.agents/skills/x/SKILL.md"],
		problems: ["error skill.noFrontmatter repo:.agents/skills/x/SKILL.md"],
	},
	"a broken skill below a good one has its own reason, and no other": {
		home: { "x/SKILL.md": "broken" },
		repo: { "x/SKILL.md": true },
		skills: ["repo:.agents/skills/x/SKILL.md"],
		problems: ["error skill.noFrontmatter home:.agents/skills/x/SKILL.md"],
	},
};

describe("discoverSkills", () => {
	it.for(Object.entries(rules))("%s", async ([, { skills, unused = [], problems = [], ...layers }]) => {
		const { shadows, ...found } = await discover(layers);
		expect(found).toEqual({ skills, unused, problems });
		expect(shadows).toEqual(unused.filter((line) => line.includes(" shadowed by ")).map((line) => line.split(" ")[0]));
	});

	it("reads two roots that are the same folder as one layer (S0-03)", async () => {
		const folder = rootWith({ "x/SKILL.md": true, "broken/SKILL.md": "broken" });
		const other = join(temporaryFolder(), "link");
		symlinkSync(folder, other);
		const found = await discoverSkills([
			{ layer: "home", path: folder },
			{ layer: "repo", path: other },
		]);
		expect(found.skills.map(({ name, layer, shadows }) => [name, layer, shadows])).toEqual([["x", "home", []]]);
		expect(found.unused).toEqual([]);
		expect(found.problems).toHaveLength(1);
	});

	it("finds nothing wrong with roots that have no skills, or are not there", async () => {
		const nothing = { skills: [], unused: [], problems: [] };
		expect(await discoverSkills([{ layer: "repo", path: temporaryFolder() }])).toEqual(nothing);
		expect(await discoverSkills([{ layer: "repo", path: join(temporaryFolder(), "missing") }])).toEqual(nothing);
		expect(await discoverSkills([])).toEqual(nothing);
	});

	it("counts a skill once that is linked into another client's folder", async () => {
		const folder = rootWith({ "x/SKILL.md": true, "y/SKILL.md": "broken", ".claude/skills/z/SKILL.md": true });
		withLinks(folder, { ".claude/skills/x": "../../.agents/skills/x", ".claude/skills/y": "../../.agents/skills/y" });
		mkdirSync(join(folder, ".github"));
		withLinks(folder, { ".github/skills": "../.agents/skills" });
		const found = await discoverSkills([{ layer: "repo", path: folder }]);
		expect(found.skills.map(({ name }) => name)).toEqual(["x", "z"]);
		expect(found.unused).toEqual([]);
		expect(found.problems).toHaveLength(1);
	});

	it("follows links that stay in the root, and passes over those to files", async () => {
		const folder = rootWith({ ".store/x/SKILL.md": true, ".notes.md": "" });
		mkdirSync(join(folder, ".agents/skills"), { recursive: true });
		withLinks(folder, { ".agents/skills/linked": "../../.store/x", ".agents/skills/notes": "../../.notes.md" });
		const found = await discoverSkills([{ layer: "repo", path: folder }]);
		expect(found.skills.map(({ name, declaredName }) => [name, declaredName])).toEqual([["linked", "x"]]);
		expect(found.problems.map(({ code }) => code)).toEqual(["skill.nameMismatch"]);
	});

	it("offers to move a skill out of .goclaw, and moved it loads without a word", async () => {
		const folder = rootWith({ ".goclaw/skills/old/SKILL.md": true });
		const roots = [{ layer: "repo", path: folder }] as const;
		const [problem] = (await discoverSkills(roots)).problems;
		expect(problem).toMatchObject({ severity: "information", code: "skill.legacyPlace" });
		const [fix] = problem?.fixes ?? [];
		expect(fix?.title).toBe("Move to .agents");
		if (fix === undefined || !("rename" in fix)) throw new Error("The fix moves nothing");
		mkdirSync(join(folder, ".agents/skills"), { recursive: true });
		renameSync(fix.rename.from, fix.rename.to);
		const found = await discoverSkills(roots);
		expect(found.skills.map(({ file }) => file)).toEqual([join(folder, ".agents/skills/old/SKILL.md")]);
		expect(found.problems).toEqual([]);
	});

	it("names files that are there in all that it says", async () => {
		const home = rootWith({ "a/SKILL.md": true, "b/SKILL.md": true, "c/SKILL.md": "broken" });
		const repo = rootWith({ "a/SKILL.md": true, "b/.disabled": "", "d/skill.md": true });
		const found = await discoverSkills([
			{ layer: "home", path: home },
			{ layer: "repo", path: repo },
		]);
		const paths = [
			...found.skills.flatMap(({ file, shadows }) => [file, ...shadows]),
			...found.unused.flatMap(({ file, by }) => [file, by]),
			...found.problems.map(({ file }) => file),
		];
		expect(paths).toHaveLength(10);
		for (const path of paths) expect(() => readFileSync(path)).not.toThrow();
	});
});

describe("discoverSkills with a cache", () => {
	const file = (folder: string) => join(folder, ".agents/skills/x/SKILL.md");
	const start = async () => {
		const folder = rootWith({ "x/SKILL.md": true });
		const cache: SkillCache = new Map();
		const again = () => discoverSkills([{ layer: "repo", path: folder }], cache);
		return { folder, again, first: await again() };
	};

	it("does not read a file again that is as it was", async () => {
		const { again, first } = await start();
		const second = await again();
		expect(second).toEqual(first);
		expect(second.skills[0]?.extra).toBe(first.skills[0]?.extra);
	});

	it("sees a change of one byte (S11)", async () => {
		const { folder, again } = await start();
		writeFileSync(file(folder), skillText("x").replace("when asked", "when asked!"));
		expect((await again()).skills[0]?.description).toBe("Does x. Use when asked!.");
	});

	it("drops a skill that was edited into an invalid state, and takes it back when it is mended", async () => {
		const { folder, again, first } = await start();
		writeFileSync(file(folder), "broken");
		expect((await again()).skills).toEqual([]);
		writeFileSync(file(folder), skillText("x"));
		expect((await again()).skills).toEqual(first.skills);
	});

	it("sees a marker come and go, a file go, and a file come back", async () => {
		const { folder, again } = await start();
		const marker = join(folder, ".agents/skills/x/.disabled");
		const names = async () => (await again()).skills.map(({ name }) => name);
		writeFileSync(marker, "");
		expect(await names()).toEqual([]);
		rmSync(marker);
		expect(await names()).toEqual(["x"]);
		renameSync(file(folder), `${file(folder)}.old`);
		expect(await names()).toEqual([]);
		renameSync(`${file(folder)}.old`, file(folder));
		expect(await names()).toEqual(["x"]);
		appendFileSync(file(folder), "\u202E");
		expect(await names()).toEqual([]);
	});

	it("tells a file in one layer from the same file in another", async () => {
		const folder = rootWith({ "x/SKILL.md": true });
		const cache: SkillCache = new Map();
		await discoverSkills([{ layer: "home", path: folder }], cache);
		const { skills } = await discoverSkills([{ layer: "repo", path: folder }], cache);
		expect(skills.map(({ layer }) => layer)).toEqual(["repo"]);
	});
});
