import * as z from "zod";
import type { ToolSchema } from "../models/modelPort.ts";
import type { Tool } from "./tool.ts";

/** The tool as the model sees it: from the same schema that checks its calls, or as a server wrote it. */
export function toToolSchema(tool: Tool): ToolSchema {
	// Some providers refuse a schema that names its dialect.
	const { $schema: _, ...inputSchema } = tool.jsonSchema ?? z.toJSONSchema(tool.input, { io: "input" });
	return { name: tool.name, description: tool.description, inputSchema };
}
