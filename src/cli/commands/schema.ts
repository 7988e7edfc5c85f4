import { campaignSchema } from "../../../campaign/definition/checks.js";
import { equationsJsonSchema, jsonSchema } from "../../files/schema/json-schema.js";
import { EXIT } from "../terminal/terminal.js";
import { command } from "./command.js";

/** `nodrift schema`. */
export default command({
  operands: "",
  count: [0, 0],
  description: [
    "Prints the JSON Schema of model files, which editors use to complete and check them. It is also",
    'part of the package: "$schema": "./node_modules/nodrift/dist/model-1.schema.json".',
  ].join("\n"),
  options: {
    campaign: { help: "schema of campaign files" },
    equations: { help: "schema of equation files" },
  },
  examples: [
    "nodrift schema > model-1.schema.json",
    "nodrift schema --campaign > campaign-1.schema.json",
  ],

  async run({ options }, terminal) {
    const mechanism = options.equations ? equationsJsonSchema : jsonSchema;
    terminal.print(JSON.stringify(options.campaign ? campaignSchema() : mechanism()));
    return EXIT.good;
  },
});
