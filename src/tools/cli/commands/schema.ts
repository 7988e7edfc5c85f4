import { jsonSchema } from "../../files/schema/json-schema.js";
import { EXIT } from "../terminal/terminal.js";
import { command } from "./command.js";

/** `nodrift schema`. */
export default command({
  operands: "",
  count: [0, 0],
  description: [
    "Prints the JSON Schema of model files, with which editors complete and check them. It is also",
    'in the package: "$schema": "./node_modules/nodrift/dist/model-1.schema.json".',
  ].join("\n"),
  options: {},
  examples: ["nodrift schema > model-1.schema.json"],

  async run(_given, terminal) {
    terminal.print(JSON.stringify(jsonSchema()));
    return EXIT.good;
  },
});
