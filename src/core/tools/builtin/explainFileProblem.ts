import { messageOf } from "../../base/errors.ts";

/** The rest of a sentence about a path that could not be used, for the model. */
export function explainFileProblem(error: unknown): string {
	switch (error instanceof Error && "code" in error ? error.code : undefined) {
		case "ENOENT":
			return "does not exist. Use list_dir to see what is there.";
		case "ENOTDIR":
			return "is not a folder, or lies below a file. Use read_file for files, and list_dir to see what is there.";
		case "EACCES":
		case "EPERM":
			return "cannot be read: the user has no permission for it. Go on without it, and say so in your report.";
		case "ELOOP":
			return "is a link. Use the path that it leads to.";
		case "ENXIO":
			return "is not a regular file, so it cannot be read.";
		default:
			return `cannot be read (${messageOf(error)}). Go on without it, and say so in your report.`;
	}
}
