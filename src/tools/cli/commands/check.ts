import type { CompiledModel } from "../../../bodies.js";
import { timeUnit, unitOf } from "../../files/index.js";
import type { SummaryLine } from "../../report/summary.js";
import { count, counted, short } from "../terminal/numbers.js";
import { EXIT, printed, type Terminal } from "../terminal/terminal.js";
import { printLines } from "../text/text-table.js";
import { equationFindings, equationLines } from "./check-equations.js";
import { command } from "./command.js";
import { holdsEquations, type LoadedModel, loadSystem } from "./load.js";
import { frequencyTexts, notFound, type Spectrum, spectrumOf } from "./spectrum.js";
import { type Statics, staticFindings, staticLines, staticsOf } from "./statics.js";

const STOPPED = "the command was stopped";

/** `nodrift check`. */
export default command({
  operands: "MODEL",
  count: [1, 1],
  description: [
    "Checks a model without simulating it: degrees of freedom, rank, redundant joints by name,",
    "constraint errors at the start, eigenvalues, static equilibrium, suggested method. Lists all",
    "errors of the file with line numbers.",
  ].join("\n"),
  options: { json: { help: "prints the findings as JSON" } },
  examples: ["nodrift check crane.json", "nodrift check hmmwv --json"],

  async run({ operands: [given], options }, terminal) {
    const loaded = await loadSystem(given as string, terminal);
    if (holdsEquations(loaded)) {
      if (options.json) terminal.print(JSON.stringify(equationFindings(loaded), null, 2));
      else {
        terminal.print(terminal.paint("strong", loaded.file.name));
        printLines(terminal, equationLines(loaded));
      }
      return EXIT.good;
    }
    const show = (spectrum: Spectrum, statics: Statics) => (where: Terminal) => {
      if (options.json) where.print(JSON.stringify(findings(loaded, spectrum, statics), null, 2));
      else {
        where.print(where.paint("strong", loaded.file.name));
        printLines(where, linesOf(loaded, spectrum, statics));
      }
    };
    const keep = (spectrum: Spectrum) =>
      terminal.keep({ print: printed(terminal, show(spectrum, { problem: STOPPED })), files: [] });
    keep(notFound(STOPPED));
    const spectrum = spectrumOf(loaded.system, loaded.file.settings.solve);
    keep(spectrum);
    show(spectrum, staticsOf(loaded.system))(terminal);
    return terminal.signal.aborted ? EXIT.interrupted : EXIT.good;
  },
});

/** As plain data. */
function findings({ file, system }: LoadedModel, spectrum: Spectrum, statics: Statics) {
  const { data, report, assembly, q } = system;
  const { rows, rank, degreesOfFreedom, redundant, singular, notes } = report;
  return {
    model: file.name,
    bodies: data.bodies.length,
    joints: data.joints.length,
    forces: data.forces.length,
    coordinates: q.length,
    rows,
    rank,
    degreesOfFreedom,
    integrated: { ...report.coordinates, ...report.tree },
    redundant: redundant.map(({ joint, rows: own, repeats }) => ({ joint, rows: own, repeats })),
    singular,
    start: assembly,
    energy: energyAt(system),
    ...spectrum,
    equilibrium: staticFindings(system, statics),
    notes,
  };
}

function linesOf(
  { file, system }: LoadedModel,
  spectrum: Spectrum,
  statics: Statics,
): SummaryLine[] {
  const { data, report, assembly, q } = system;
  const { rows, rank, degreesOfFreedom, redundant, singular } = report;
  const { bodies, joints, forces } = data;
  const energy = energyAt(system);
  const unit = unitOf("energy", file.settings.units);
  return [
    { label: "file", text: "is right", tone: "good" },
    {
      label: "parts",
      text: [
        counted(bodies.length, "body", "bodies"),
        counted(joints.length, "joint or drive", "joints and drives"),
        counted(forces.length, "force"),
      ].join(", "),
    },
    {
      label: "constraints",
      text: `${count(rows)} rows of rank ${count(rank)} on ${count(q.length)} coordinates`,
    },
    { label: "freedom", text: freedomText(degreesOfFreedom) },
    { label: "coordinates", text: `${report.coordinates.kind}: ${report.coordinates.why}` },
    redundant.length === 0
      ? { label: "redundant", text: "no joint", tone: "good" }
      : { label: "redundant", text: redundant.map(({ text }) => text).join("; "), tone: "warn" },
    {
      label: "start",
      text:
        `was moved by ${short(assembly.moved, 2)}; constraints are off by ` +
        `${short(assembly.residual, 2)}, their rates by ${short(assembly.velocityResidual, 2)}`,
      tone: assembly.residual < 1e-10 ? "good" : "warn",
    },
    ...(singular ? [{ label: "pose", text: "singular", tone: "warn" as const }] : []),
    {
      label: "energy",
      text: `${short(energy.kinetic)} kinetic, ${short(energy.potential)} potential ${unit}`,
    },
    ...spectrumLines(spectrum, timeUnit(file.settings.units)),
    ...staticLines(statics, timeUnit(file.settings.units)),
    { label: "method", text: spectrum.suggestion },
    ...report.notes.map((text) => ({ label: "note", text, tone: "warn" as const })),
  ];
}

function freedomText(degrees: number): string {
  if (degrees === 0) return "0 degrees: fully constrained by drives and joints";
  return degrees === 1 ? "1 degree" : `${count(degrees)} degrees`;
}

/** What the eigenvalues are about. */
const ABOUT: Readonly<Record<Spectrum["about"], string>> = {
  rest: ", at rest",
  "steady motion": ", in steady motion",
  "frozen state": " (frozen at the start, which is not steady: shows stiffness, not stability)",
};

function spectrumLines(spectrum: Spectrum, unit: string): SummaryLine[] {
  const { eigenvalues, about, problem } = spectrum;
  if (problem !== undefined) return [{ label: "eigenvalues", text: problem }];
  if (eigenvalues.length === 0) return [];
  const [first] = eigenvalues;
  const { re, im } = first!;
  const dominant =
    Math.abs(im) < 1e-9 * Math.abs(re)
      ? short(re, 4)
      : `${short(re, 4)} ± ${short(Math.abs(im), 4)}i`;
  const frequencies = about === "frozen state" ? [] : frequencyTexts(spectrum, unit);
  const more = frequencies.length > 5 ? ", ..." : "";
  return [
    {
      label: "eigenvalues",
      text: `largest ${dominant}${ABOUT[about]}`,
    },
    ...(frequencies.length > 0
      ? [{ label: "frequencies", text: `${frequencies.slice(0, 5).join(", ")}${more}` }]
      : []),
  ];
}

function energyAt(system: CompiledModel) {
  return system.simulate({ step: 1 }).energy();
}
