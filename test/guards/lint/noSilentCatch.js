/**
 * A lint rule: a `catch` that does nothing hides a failure, and a comment in it does not make it do something. It must
 * translate, clean up, report, or at least return on purpose. The same holds for the handler of a rejection.
 */
const noSilentCatch = {
	create(context) {
		const report = (node) =>
			context.report({ node, message: "This catch does nothing: translate the failure, clean up, or report it." });
		return {
			CatchClause(node) {
				if (doesNothing(node.body)) report(node);
			},
			CallExpression({ callee, arguments: args }) {
				const handler = args[handlerAt.get(callee.property?.name)];
				if (isFunction(handler) && doesNothing(handler.body)) report(handler);
			},
		};
	},
};

/** Which argument of a promise's method hears of the failure. */
const handlerAt = new Map([
	["catch", 0],
	["then", 1],
]);

const isFunction = (node) => node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";

const doesNothing = ({ type, body }) =>
	type === "BlockStatement" && body.every((statement) => statement.type === "EmptyStatement");

export default { meta: { name: "muster" }, rules: { "no-silent-catch": noSilentCatch } };
