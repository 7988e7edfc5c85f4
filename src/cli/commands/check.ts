import { hypotenuse } from "../../base/algebra/portable-trigonometry.js";
import { NodriftError } from "../../base/errors.js";
import {
  type CompiledModel,
  type Equilibrium,
  equilibrium,
  type Linearisation,
  linearise,
} from "../../bodies.js";
import { type SolveSettings, timeUnit, unitOf } from "../../files/index.js";
import { count, counted, short } from "../../report/numbers.js";
import type { SummaryLine } from "../../report/summary.js";
import { solve } from "../../solve.js";
import { EXIT, printed, type Terminal } from "../terminal/terminal.js";
import { printLines } from "../terminal/text-table.js";
import { command } from "./command.js";
import { holdsEquations, type LoadedEquations, type LoadedModel, loadSystem } from "./load.js";

// The static equilibrium near the initial state, and the joint reactions in it.

/**
 * Largest number of bodies for which an equilibrium is searched for: every iteration finds the stiffness by finite differences.
 */
const MAX_EQUILIBRIUM_BODIES = 20;
/** Largest number of bodies that are listed by name. */
const MAX_LISTED_BODIES = 4;

interface Statics {
  readonly found?: Equilibrium;
  /** Why no equilibrium was found. */
  readonly problem?: string;
}

function staticsOf(system: CompiledModel): Statics {
  if (system.data.bodies.length > MAX_EQUILIBRIUM_BODIES) {
    return { problem: `not computed: the model has more than ${MAX_EQUILIBRIUM_BODIES} bodies` };
  }
  try {
    return { found: equilibrium(system) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** The equilibrium as plain data. */
function staticFindings(system: CompiledModel, { found, problem }: Statics) {
  if (!found) return { problem };
  const { state, stability, stiffness, free, residual, iterations, moved, linearisation } = found;
  return {
    stability,
    // JSON has no Infinity: null means that no body is free to move.
    stiffness,
    free,
    residual,
    iterations,
    moved,
    eigenvalues: linearisation?.eigenvalues ?? [],
    frequencies: linearisation?.frequencies ?? [],
    positions: Object.fromEntries(
      system.data.bodies.map(({ name }) => [name, state.body(name).position]),
    ),
    reactions: Object.fromEntries(
      system.data.joints.map(({ name, blocks }) => {
        const joint = state.joint(name);
        // Rows of user constraints have no joint force or torque, only multipliers.
        const isUsers = blocks.some(({ user }) => user);
        if (isUsers) return [name, { multipliers: joint.multipliers }];
        return [name, { force: joint.force(), torque: joint.torque() }];
      }),
    ),
  };
}

function staticLines({ found, problem }: Statics, timeUnit: string): SummaryLine[] {
  if (!found) return [{ label: "equilibrium", text: problem ?? "none" }];
  const { stability, moved, free, linearisation } = found;
  const [lowest] = linearisation ? frequencyTexts(linearisation, timeUnit) : [];
  const place =
    moved > 1e-9 ? `${short(moved, 3)} away from the initial state` : "the initial state";
  const slow = lowest === undefined ? "" : `, lowest frequency ${lowest}`;
  const names = free.length > MAX_LISTED_BODIES ? `${count(free.length)} bodies` : free.join(", ");
  const loose = free.length > 0 ? `; ${names} free to move in some direction` : "";
  return [
    {
      label: "equilibrium",
      text: `${stability}: ${place}${slow}${loose}`,
      tone: stability === "stable" ? "good" : "warn",
    },
  ];
}

// Results of `nodrift check` for a system of equations.

/** Constraint errors and energies of the initial state. */
function startOf({ file }: LoadedEquations) {
  const { system } = file;
  const zeros = system.coordinateNames.map(() => 0);
  const [q, v] = [system.q ?? zeros, system.v ?? zeros].map((list) => Float64Array.from(list));
  const time = file.settings.solve?.span[0] ?? 0;
  // Only a run determines which conditional rows are active.
  const state = system.description.when
    ? solve(system, { span: [time, time], q: q!, v: v!, start: "asGiven" }).end
    : system.state({ time, q: q!, v: v!, unwrappedAngles: new Float64Array(0) });
  return { off: state.constraintError(), energy: state.energy() };
}

/** Results for a system of equations as plain data. */
function equationFindings(loaded: LoadedEquations) {
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

function equationLines(loaded: LoadedEquations): SummaryLine[] {
  const { system, settings } = loaded.file;
  const { off, energy } = startOf(loaded);
  const unit = unitOf("energy", settings.units);
  const { diagonal, constant } = system.mass;
  return [
    { label: "file", text: "valid", tone: "good" },
    {
      label: "equations",
      text: [
        counted(system.coordinateNames.length, "coordinate"),
        counted(system.holonomicNames.length, "position constraint", "position constraints"),
        counted(system.nonholonomicNames.length, "velocity constraint", "velocity constraints"),
        counted(Object.keys(system.parameters).length, "parameter"),
      ].join(", "),
    },
    {
      label: "mass",
      text: `${constant ? "constant" : "varies"}, ${diagonal ? "diagonal" : "full"}`,
    },
    {
      label: "start",
      text: `constraint error ${short(off.position, 2)}, ` + `rate error ${short(off.velocity, 2)}`,
      tone: Math.max(off.position, off.velocity) < 1e-8 ? "good" : "warn",
    },
    {
      label: "energy",
      text: `${short(energy.kinetic)} kinetic, ${short(energy.potential)} potential ${unit}`,
    },
    {
      label: "derivation",
      text: `${count(system.explain().text.split("\n").length)} lines of equations; print them with --json`,
    },
  ];
}

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
  options: { json: { help: "print the results as JSON" } },
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
      terminal.setFallback({
        print: printed(terminal, show(spectrum, { problem: STOPPED })),
        files: [],
      });
    keep(notFound(STOPPED));
    const spectrum = spectrumOf(loaded.system, loaded.file.settings.solve);
    keep(spectrum);
    show(spectrum, staticsOf(loaded.system))(terminal);
    return terminal.signal.aborted ? EXIT.interrupted : EXIT.good;
  },
});

/** Results for a mechanism as plain data. */
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
    { label: "file", text: "valid", tone: "good" },
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
    { label: "degrees of freedom", text: freedomText(degreesOfFreedom) },
    { label: "coordinates", text: `${report.coordinates.kind}: ${report.coordinates.why}` },
    redundant.length === 0
      ? { label: "redundant", text: "none", tone: "good" }
      : { label: "redundant", text: redundant.map(({ text }) => text).join("; "), tone: "warn" },
    {
      label: "start",
      text:
        `moved by ${short(assembly.moved, 2)}; constraint error ` +
        `${short(assembly.residual, 2)}, rate error ${short(assembly.velocityResidual, 2)}`,
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
  if (degrees === 0) return "0: fully constrained by drives and joints";
  return degrees === 1 ? "1" : `${count(degrees)}`;
}

/** The state about which the model was linearised, as text. */
const ABOUT: Readonly<Record<Spectrum["about"], string>> = {
  rest: ", at rest",
  "steady motion": ", in steady motion",
  "frozen state":
    " (frozen at the initial state, which is not steady: shows stiffness, not stability)",
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

// Eigenvalues of a model at its initial state, and the method they suggest.

/** Largest number of bodies for which eigenvalues are computed: finite differences take one evaluation per degree of freedom. */
const MAX_EIGENVALUE_BODIES = 60;
/** Bound on |h s| for the stability of explicit methods of high order. */
const STABILITY_RADIUS = 6;
/** Ratio of the steps allowed by accuracy to those allowed by stability from which a motion counts as stiff. */
const STIFFNESS_RATIO = 30;
/** Largest damping ratio of oscillations that are visible and must be resolved. */
const MAX_VISIBLE_DAMPING = 0.7;
/** Smallest tolerance that sdirk4 reaches with less work than radau5. */
const COARSE_TOLERANCE = 1e-3;

interface Spectrum {
  /** Eigenvalues in descending order of magnitude. */
  readonly eigenvalues: readonly { readonly re: number; readonly im: number }[];
  /** Natural frequencies in hertz, ascending. */
  readonly frequencies: readonly number[];
  /** Kind of the initial state. Eigenvalues of a frozen state show how stiff the model is, not whether it is stable. */
  readonly about: "rest" | "steady motion" | "frozen state";
  readonly stiff: boolean;
  /** Suggested method, with the reason. */
  readonly suggestion: string;
  /** Why no eigenvalues were computed. */
  readonly problem?: string;
}

function spectrumOf(system: CompiledModel, solve: SolveSettings | undefined): Spectrum {
  const { bodies } = system.data;
  if (bodies.length > MAX_EIGENVALUE_BODIES) {
    return notFound(`not computed: the model has more than ${MAX_EIGENVALUE_BODIES} bodies`);
  }
  try {
    const found = linearised(system);
    const eigenvalues = [...found.eigenvalues].sort((a, b) => size(b) - size(a));
    const stiff = isStiff(eigenvalues, solve);
    return {
      eigenvalues,
      frequencies: found.frequencies,
      about: found.equilibrium ? "rest" : found.steady ? "steady motion" : "frozen state",
      stiff,
      suggestion: suggestionFor(eigenvalues, stiff, solve),
    };
  } catch (error) {
    return notFound((error as Error).message);
  }
}

/** Linearises about the initial state, frozen in time if it is not steady. */
function linearised(system: CompiledModel): Linearisation {
  const simulation = system.simulate({ step: 1e-3 });
  try {
    return linearise(simulation);
  } catch (error) {
    if (error instanceof NodriftError && error.code === "STEADY") {
      return linearise(simulation, { frozen: true });
    }
    throw error;
  }
}

/** A spectrum without eigenvalues, with the reason. */
function notFound(problem: string): Spectrum {
  const about = "frozen state" as const;
  const none = { eigenvalues: [], frequencies: [], about, stiff: false };
  return { ...none, problem, suggestion: AUTOMATIC_METHOD };
}

const AUTOMATIC_METHOD = "automatic: starts explicit, switches to implicit if the motion is stiff";

/** Fraction of the largest eigenvalue below which a pair is a double zero that rounding has split. */
const ZERO_FREQUENCY_TOLERANCE = 1e-5;

/** Frequencies above the rounding error, with their unit. A state frozen during a motion has none. */
function frequencyTexts(
  { eigenvalues, frequencies }: Pick<Spectrum, "eigenvalues" | "frequencies">,
  timeUnit: string,
): readonly string[] {
  const largest = eigenvalues.reduce((most, one) => Math.max(most, size(one)), 0);
  const unit = timeUnit === "s" ? "Hz" : `1/${timeUnit}`;
  return frequencies
    .filter((value) => 2 * Math.PI * value > ZERO_FREQUENCY_TOLERANCE * largest)
    .map((value) => `${short(value, 4)} ${unit}`);
}

type SpectrumEntry = Spectrum["eigenvalues"][number];

const size = ({ re, im }: SpectrumEntry) => hypotenuse(re, im);

/**
 * Whether stability limits explicit steps much more than accuracy does. Compares the fastest decay with the fastest
 * oscillation that is lightly damped, or with a tenth of the span.
 */
function isStiff(eigenvalues: readonly SpectrumEntry[], solve: SolveSettings | undefined): boolean {
  const decay = eigenvalues.reduce(
    (most, one) => (one.re < 0 ? Math.max(most, size(one)) : most),
    0,
  );
  const seen = eigenvalues
    .filter((one) => one.im !== 0 && Math.abs(one.re) < MAX_VISIBLE_DAMPING * size(one))
    .reduce((most, one) => Math.max(most, size(one)), 0);
  const span = solve ? Math.abs(solve.span[1] - solve.span[0]) : 1;
  const slow = Math.max(seen, 10 / span);
  return decay / STABILITY_RADIUS > STIFFNESS_RATIO * slow;
}

function suggestionFor(
  eigenvalues: readonly SpectrumEntry[],
  stiff: boolean,
  solve: SolveSettings | undefined,
): string {
  if (!stiff) return "explicit; automatic choice: dop853 with projection";
  const { tolerance = 1e-6 } = solve ?? {};
  const asked = typeof tolerance === "number" ? tolerance : (tolerance.relative ?? 1e-6);
  const name = asked >= COARSE_TOLERANCE ? "sdirk4" : "radau5";
  const limit = short(STABILITY_RADIUS / size(eigenvalues[0]!), 2);
  return (
    `${name}: the motion is stiff. Explicit methods would need steps below ${limit}; ` +
    "without a method nodrift detects this automatically"
  );
}
