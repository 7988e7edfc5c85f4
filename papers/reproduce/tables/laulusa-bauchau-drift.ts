import {
  driftElimination,
  type Formulation,
  frozenBasis,
  type Method,
  maggi,
  nullSpace,
  phaseSpace,
  projective,
  udwadiaKalaba,
} from "../../../src/index.js";
import { drift, formulationLevels, simulated } from "../experiments/formulation-runs.js";
import { formulationProblems } from "../experiments/formulation-systems.js";
import { checked, distance, most, relative } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

/**
 * Drift on the level of accelerations by an independent implementation, to two digits.
 */
const ACCELERATIONS = 6.8e-5;
const REFERENCE_TOLERANCE = 0.05;
/**
 * Rounding of J v if v is kept on the constraints: three products of at most 2 m/s in a row round by half a bit each, and three
 * rows are added as squares.
 */
const VELOCITY_TOLERANCE = 3 * Math.sqrt(3) * 2 * (Number.EPSILON / 2);

export const laulusaBauchauDrift = reproduction({
  name: "laulusa-bauchau-drift",
  paper: "Laulusa and Bauchau 2008",
  title: "How constraints drift: slider-crank of Welch et al., 10 s by RK4 with a step of 0.01 s",
  notes: [
    "The review compares in words; references are those of an independent implementation.",
    "Formulations differ only in the unknowns that are integrated, the level on which " +
      "constraints are kept, and the factorisation.",
    "The start of Welch et al. is projected onto the constraints.",
  ],
  *measure() {
    yield* onAccelerations();
    const eliminated = run(udwadiaKalaba(), driftElimination());
    const quantity = "with the corrections of Braun and Goldfarb";
    yield drifted(quantity, 9.2e-9, eliminated.position);
    yield checked(exponent(quantity, 0, eliminated.exponent), distance(0.1));
    yield* onVelocities();
    const frozen = run(frozenBasis()).position;
    yield checked({ quantity: "|Phi|, frozenBasis", reference: 2e-16, value: frozen }, most(1e-15));
  },
});

function run(formulation: Formulation, stabilisation?: Method["stabilisation"]) {
  return drift(simulated(formulationProblems.sliderCrank, formulation, 0.01, stabilisation), 10);
}

function drifted(name: string, reference: number, value: number): Entry {
  return checked({ quantity: `|Phi|, ${name}`, reference, value }, relative(REFERENCE_TOLERANCE));
}

function exponent(name: string, reference: number, value: number) {
  return { quantity: `exponent of time in |Phi|, ${name}`, reference, value };
}

function* onAccelerations(): Generator<Entry> {
  for (const formulation of [udwadiaKalaba(), nullSpace()]) {
    const found = run(formulation);
    yield drifted(formulation.name, ACCELERATIONS, found.position);
    yield checked(exponent(formulation.name, 2, found.exponent), distance(0.1));
  }
}

function* onVelocities(): Generator<Entry> {
  for (const [formulation, reference] of [
    [maggi(), 3.6e-8],
    [projective(), 5.4e-8],
    [phaseSpace(), 6.4e-8],
  ] as const) {
    yield drifted(formulation.name, reference, run(formulation).position);
  }
  const ratio = run(maggi()).position / run(udwadiaKalaba()).position;
  const reference = 3.6e-8 / ACCELERATIONS;
  yield checked(
    { quantity: "|Phi| of maggi over that of udwadiaKalaba", reference, value: ratio },
    relative(2 * REFERENCE_TOLERANCE),
  );
  for (const formulation of formulationLevels.velocity) {
    const quantity = `|Phi'|, ${formulation.name}`;
    yield checked({ quantity, value: run(formulation).velocity }, most(VELOCITY_TOLERANCE));
  }
}
