// Calls of `nodrift/formulas`.

import * as formulas from "nodrift/formulas";
import { type Call, exported, method } from "./call.js";

const entry = "nodrift/formulas";
const labels = [
  "equations",
  "system",
  "formula",
  "name",
  "names",
  "pendulum",
  "decay",
  "rates",
  "table",
];

/** Objects with user-defined keys may have any key: frozen objects are not mutated. */
const pendulum = () => ({
  name: "pendulum",
  coordinates: ["x", "y"],
  parameters: Object.freeze({ m: 1, g: 9.81, L: 1 }),
  quantities: Object.freeze({ height: "y + L" }),
  tables: Object.freeze({ push: { x: [0, 1, 2], y: [0, 1, 0] } }),
  kinetic: "m*(x'^2 + y'^2)/2",
  potential: "m*g*height",
  dissipation: "0.1*(x'^2 + y'^2)/2",
  forces: { x: "push(t)" },
  holonomic: Object.freeze({ length: "x^2 + y^2 - L^2" }),
  start: { x: 1 },
});

const decay = () => ({
  name: "decay",
  unknowns: ["y"],
  parameters: Object.freeze({ k: 1 }),
  quantities: Object.freeze({ twice: "2*y" }),
  rates: { y: "-k*twice" },
  start: { y: 1 },
});

export function formulaCalls(): Call[] {
  const makers: Readonly<Record<string, () => unknown[]>> = {
    equations: () => [pendulum(), { interpret: false }],
    ode: () => [decay(), { interpret: false }],
    symbols: () => ["x", "theta[1..3]"],
    initElementary: () => [undefined],
  };
  const systems = {
    FormulaEquations: () => formulas.equations(pendulum()),
    FormulaOde: () => formulas.ode(decay()),
  };
  return [
    ...Object.entries(makers).map(([name, make]) =>
      exported(entry, name, (formulas as Record<string, unknown>)[name], make, [...labels, "init"]),
    ),
    ...Object.entries(systems).flatMap(([owner, make]) => [
      method(
        owner,
        "with",
        () => ({ on: make(), given: [{ [owner === "FormulaOde" ? "k" : "g"]: 2 }] }),
        [...labels, "parameter"],
      ),
      method(owner, "formula", () => ({ on: make(), given: ["t + 1"] }), labels),
      method(owner, "explain", () => ({ on: make(), given: [] })),
    ]),
  ];
}
