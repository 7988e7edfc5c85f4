// Calls of `nodrift/files`.

import * as files from "nodrift/files";
import { solve } from "nodrift/solve";
import { type Call, exported, functionsOf, method } from "./call.js";
import type { World } from "./world.js";

const entry = "nodrift/files";

function document() {
  return {
    nodrift: 1,
    name: "ball",
    units: "SI",
    gravity: [0, 0, -9.81],
    bodies: [
      { name: "ball", mass: 1, shape: { type: "sphere", radius: 0.1 }, position: [0, 0, 1] },
    ],
    solve: { span: [0, 1], tolerance: 1e-6 },
  };
}

/** Parts of methods are not mutated: they represent themselves. */
function frozen(choice: files.MethodChoice): files.MethodChoice {
  return "integrator" in choice ? { integrator: Object.freeze(choice.integrator) } : choice;
}

const table = () => ({ x: [0, 1, 2], y: [0, 1, 0], interpolation: "cubic", outside: "hold" });

export function fileCalls({ file, ballSystem }: World): Call[] {
  const functions = () => new files.FunctionSet();
  const library = () => new files.FunctionLibrary();
  const limits = () => ({ size: 1e6, depth: 20, values: 1e5 });
  const given: Readonly<Record<string, () => unknown[]>> = {
    readModel: () => [JSON.stringify(document()), limits()],
    readSystem: () => [JSON.stringify(document()), limits()],
    readDocument: () => [document(), limits()],
    writeDocument: () => [file.model, { units: "SI", solve: { span: [0, 1] } }],
    writeModel: () => [file.model, { units: "SI", solve: { span: [0, 1] } }],
    parseFormula: () => ["sin(t)", { variables: ["t"], quantities: ["z"], functions: library() }],
    formulaFunction: () => ["sin(t)", ["t"], library()],
    timeFunction: () => [{ table: table() }, functions()],
    elasticLaw: () => ["length", "-5 * length", functions()],
    loadLaw: () => [[1, "t", { table: table() }], functions()],
    roadProfile: () => ["0.1 * x", functions()],
    parseMethod: () => ["radau5"],
    methodNames: () => [],
    estimatesError: () => [frozen(files.parseMethod("radau5"))],
    problemText: () => [{ pointer: "/a", line: 1, column: 2, message: "wrong" }],
    parseStateFormula: () => ["z('ball')", file.model.data(), functions()],
    unitOf: () => ["length", { length: "mm", mass: "t", time: "s" }],
    timeUnit: () => [{ length: "mm", mass: "t", time: "s" }],
    initElementary: () => [undefined],
  };
  const labels = [
    "table",
    "formula",
    "method",
    "model",
    "load",
    "init",
    "file",
    "limits",
    "units",
    "the source",
    "writeDocument",
    "unknown name",
  ];
  return [
    ...functionsOf(files).map(([name, value]) => ({
      ...exported(entry, name, value, given[name] ?? (() => []), labels),
      refusesMore: WITHOUT_EXTRA_ARGUMENTS.has(name),
    })),
    // Its options are checked by their consumer.
    {
      ...method(
        "ModelFile",
        "solveOptions",
        () => ({ on: file, given: [ballSystem, { tolerance: 1e-7 }] }),
        ["compiled", "solve"],
      ),
      run: ([system, others]) =>
        solve(ballSystem, file.solveOptions(system as never, others as never)),
    },
    method(
      "Functions",
      "define",
      () => ({
        on: functions(),
        given: [{ name: "bump", of: ["x"], expression: "x^2" }],
      }),
      ["formula", "function", "unknown name"],
    ),
    method(
      "FunctionLibrary",
      "define",
      () => ({
        on: library(),
        given: ["bump", { variables: ["x"], expression: "x^2" }],
      }),
      ["formula", "function", "unknown name"],
    ),
    {
      ...method(
        "Table",
        "derivative",
        () => ({ on: new files.Table(table() as never), given: [0.5, 1] }),
        ["x", "order"],
      ),
      passesNaN: true,
    },
    {
      ...method("Table", "constructor", () => ({ on: {}, given: [table()] }), ["table"]),
      run: (options) => new files.Table(options[0] as never),
    },
  ];
}

/** Functions whose last argument is an options object. */
const WITHOUT_EXTRA_ARGUMENTS = new Set([
  "readModel",
  "readSystem",
  "readDocument",
  "writeDocument",
  "writeModel",
  "parseFormula",
]);
