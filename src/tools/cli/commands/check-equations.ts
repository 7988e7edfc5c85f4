// What `nodrift check` finds about a system by equations.

import { solve } from "../../../solve.js";
import { unitOf } from "../../files/index.js";
import type { SummaryLine } from "../../report/summary.js";
import { count, counted, short } from "../terminal/numbers.js";
import type { LoadedEquations } from "./load.js";

/** At the start: constraints and their rates, energies. */
function startOf({ file }: LoadedEquations) {
  const { system } = file;
  const zeros = system.coordinateNames.map(() => 0);
  const [q, v] = [system.q ?? zeros, system.v ?? zeros].map((list) => Float64Array.from(list));
  const time = file.settings.solve?.span[0] ?? 0;
  // Which rows act there a run knows.
  const state = system.description.when
    ? solve(system, { span: [time, time], q: q!, v: v!, start: "asGiven" }).end
    : system.state({ time, q: q!, v: v!, turns: new Float64Array(0) });
  return { off: state.constraintError(), energy: state.energy() };
}

/** As plain data. */
export function equationFindings(loaded: LoadedEquations) {
  const { name, system } = loaded.file;
  const { off, energy } = startOf(loaded);
  return {
    model: name,
    coordinates: system.coordinateNames,
    rows: [...system.holonomicNames, ...system.nonholonomicNames],
    parameters: { ...system.parameters },
    mass: system.mass,
    start: { residual: off.position, velocityResidual: off.velocity },
    energy,
    equations: system.explain().text,
  };
}

export function equationLines(loaded: LoadedEquations): SummaryLine[] {
  const { system, settings } = loaded.file;
  const { off, energy } = startOf(loaded);
  const unit = unitOf("energy", settings.units);
  const { diagonal, constant } = system.mass;
  return [
    { label: "file", text: "is right", tone: "good" },
    {
      label: "equations",
      text: [
        counted(system.coordinateNames.length, "coordinate"),
        counted(
          system.holonomicNames.length,
          "constraint on positions",
          "constraints on positions",
        ),
        counted(
          system.nonholonomicNames.length,
          "constraint on velocities",
          "constraints on velocities",
        ),
        counted(Object.keys(system.parameters).length, "parameter"),
      ].join(", "),
    },
    {
      label: "mass",
      text: `${constant ? "constant" : "varies"}, ${diagonal ? "diagonal" : "full"}`,
    },
    {
      label: "start",
      text:
        `constraints are off by ${short(off.position, 2)}, ` +
        `their rates by ${short(off.velocity, 2)}`,
      tone: Math.max(off.position, off.velocity) < 1e-8 ? "good" : "warn",
    },
    {
      label: "energy",
      text: `${short(energy.kinetic)} kinetic, ${short(energy.potential)} potential ${unit}`,
    },
    { label: "found", text: `${count(system.explain().text.split("\n").length)} lines: --json` },
  ];
}
