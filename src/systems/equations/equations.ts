import {
  callback,
  flag,
  isRecord,
  locationOf,
  needed,
  options,
  optionsOf,
  plain,
  type Rule,
  readOptions,
  recordOf,
  type Shape,
  whole,
  word,
  wrongValueError,
} from "../../base/checking/index.js";
import type { StateData } from "../../interfaces/index.js";
import type {
  EquationsDescription,
  HolonomicConstraints,
  MassFunction,
  NonholonomicConstraints,
  NonIdealConstraints,
} from "./description.js";
import {
  type EquationParts,
  type Equations,
  equationParts,
  type Mass,
  type RowSwitching,
  rowSwitching,
} from "./equations-types.js";
import { nameList, nameOf, namesOf, requireUnique, wrong } from "./name-checks.js";
import { functionConditions, rowCondition, rowSwitchingOf, withRows } from "./row-switching.js";
import { EquationState, type RowSelection } from "./state.js";
import { EquationSystem } from "./system.js";

export type { Equations, Mass } from "./equations-types.js";

function partsOf(selection?: RowSelection): EquationParts {
  return Object.freeze({
    system: (source: Equations) => new EquationSystem(source),
    state: (source: Equations, data: StateData) =>
      new EquationState(source, () => new EquationSystem(source), data, selection),
  });
}

const PARTS = partsOf();

const HOLONOMIC: Shape<HolonomicConstraints> = {
  rows: needed(nameList),
  value: needed(callback()),
  jacobian: callback(),
  timeDerivative: callback(),
  gamma: callback(),
};

const NONHOLONOMIC: Shape<NonholonomicConstraints> = {
  rows: needed(nameList),
  value: needed(callback()),
  jacobian: callback(),
  gamma: callback(),
};

const NON_IDEAL: Shape<NonIdealConstraints> = {
  force: needed(callback()),
  iterations: whole(2),
};

/** Further checks are in {@link massOf}. */
const masses: Rule<EquationsDescription["mass"]> = {
  wants: "numbers, rows of numbers, { diagonal: function } or { full: function }",
  read: (value, place) => plain(place, value) as EquationsDescription["mass"],
};

const DESCRIPTION: Shape<EquationsDescription> = {
  name: word,
  coordinates: needed(nameList),
  mass: needed(masses),
  forces: needed(callback()),
  holonomic: options(HOLONOMIC),
  nonholonomic: options(NONHOLONOMIC),
  when: recordOf(rowCondition, "conditions by names of rows: { rope: (q, v, t) => ... }"),
  nonIdeal: options(NON_IDEAL),
  potential: callback(),
  potentialGradient: callback(),
  power: callback(),
  check: flag,
  prepare: callback(),
};

/**
 * Checks a system given by functions.
 *
 * @example
 * const pendulum = equations({
 *   coordinates: ["x", "y"],
 *   mass: [1, 1],
 *   forces: (q, v, out) => { out[0] = 0; out[1] = -9.81; },
 *   holonomic: { rows: ["length"], value: (q, out) => { out[0] = q[0] ** 2 + q[1] ** 2 - 1; } },
 * });
 */
export function equations(given: EquationsDescription, ...more: undefined[]): Equations {
  const name = nameOf("equations", given, "system");
  const description = optionsOf(name, "DESCRIPTION", given, DESCRIPTION, more);
  const coordinateNames = namesOf(description.coordinates, "q");
  const { holonomic, nonholonomic, nonIdeal, when } = description;
  for (const part of [holonomic, nonholonomic, nonIdeal, when]) Object.freeze(part);
  if (nonIdeal && !holonomic && !nonholonomic) {
    throw wrong(name, "nonIdeal is a law of constraint forces, but there are no constraints");
  }
  const holonomicNames = holonomic ? namesOf(holonomic.rows, "constraint ") : [];
  const nonholonomicNames = nonholonomic ? namesOf(nonholonomic.rows, "velocity constraint ") : [];
  requireUnique(name, "coordinates", coordinateNames);
  requireUnique(name, "constraints", [...holonomicNames, ...nonholonomicNames]);
  const made: Equations = {
    name,
    description: Object.freeze(description),
    coordinateNames,
    holonomicNames,
    nonholonomicNames,
    mass: Object.freeze(massOf(name, description.mass, coordinateNames)),
    differentiated: missingDerivatives(description),
    [equationParts]: PARTS,
  };
  if (when === undefined) return Object.freeze(made);
  const rowNames = [...holonomicNames, ...nonholonomicNames];
  return Object.freeze({
    ...made,
    [equationParts]: partsOf({ rowNames, acting: new Set(rowNames) }),
    [rowSwitching]: switchingOf(made, rowNames, when),
  });
}

/** Creates the switching rows, with a system for each set of acting rows. */
function switchingOf(
  made: Equations,
  rowNames: readonly string[],
  when: NonNullable<EquationsDescription["when"]>,
): RowSwitching {
  const { name, coordinateNames, holonomicNames, nonholonomicNames } = made;
  const conditions = Object.entries(when).map(
    ([row, given]) => [row, functionConditions(given, coordinateNames.length)] as const,
  );
  return rowSwitchingOf(name, rowNames, new Map(conditions), (selection) => {
    const description = withRows(made, selection);
    const acts = (row: string) => selection.acting.has(row);
    return Object.freeze<Equations>({
      ...made,
      description,
      holonomicNames: holonomicNames.filter(acts),
      nonholonomicNames: nonholonomicNames.filter(acts),
      differentiated: missingDerivatives(description),
      [equationParts]: partsOf(selection),
    });
  });
}

function massOf(
  system: string,
  mass: EquationsDescription["mass"],
  names: readonly string[],
): Mass {
  const n = names.length;
  if (ArrayBuffer.isView(mass))
    return massOf(system, Array.from(mass as unknown as Float64Array), names);
  if (Array.isArray(mass)) {
    if (mass.length !== n) {
      throw wrong(system, `mass has ${mass.length} entries for ${n} coordinates`);
    }
    if (mass.every((entry) => typeof entry === "number")) {
      mass.forEach((entry, index) => {
        if (!(entry > 0 && entry < Number.POSITIVE_INFINITY)) {
          throw wrong(
            system,
            `the mass of "${names[index]}" is ${entry}; it must be positive and finite`,
          );
        }
      });
      return { diagonal: true, constant: [...mass] as number[] };
    }
    return { diagonal: false, constant: symmetricOf(system, mass as number[][], names) };
  }
  const place = locationOf(system, "DESCRIPTION", "mass");
  if (!isRecord(mass)) throw wrongValueError(place, mass, masses.wants);
  const { diagonal, full } = readOptions<{ diagonal?: MassFunction; full?: MassFunction }>(
    place,
    mass,
    { diagonal: callback(), full: callback() },
  );
  if (diagonal && full) throw wrong(system, "mass: give either `diagonal` or `full`, not both");
  if (diagonal) return { diagonal: true, function: diagonal };
  if (full) return { diagonal: false, function: full };
  throw wrongValueError(place, mass, masses.wants);
}

function symmetricOf(
  system: string,
  rows: readonly (readonly number[])[],
  names: readonly string[],
): number[] {
  const n = names.length;
  const flat = rows.flatMap((row, i) => {
    if (!Array.isArray(row) || row.length !== n) {
      throw wrong(system, `row ${i} of mass must have ${n} numbers`);
    }
    return [...row];
  });
  flat.forEach((value, index) => {
    const [i, j] = [Math.floor(index / n), index % n];
    if (!Number.isFinite(value)) {
      throw wrong(system, `mass is ${value} between "${names[i]}" and "${names[j]}"`);
    }
    const twin = flat[j * n + i] as number;
    if (Math.abs(value - twin) > 1e-12 * Math.max(Math.abs(value), Math.abs(twin))) {
      throw wrong(system, `mass is not symmetric between "${names[i]}" and "${names[j]}"`);
    }
  });
  return flat;
}

function missingDerivatives({ holonomic, nonholonomic, ...rest }: EquationsDescription): string[] {
  const missing: string[] = [];
  if (holonomic) {
    if (!holonomic.jacobian) missing.push("holonomic.jacobian");
    if (!holonomic.timeDerivative && holonomic.value.length > 2) {
      missing.push("holonomic.timeDerivative");
    }
    if (!holonomic.gamma) missing.push("holonomic.gamma");
  }
  if (nonholonomic) {
    if (!nonholonomic.jacobian) missing.push("nonholonomic.jacobian");
    if (!nonholonomic.gamma) missing.push("nonholonomic.gamma");
  }
  if (rest.potential && !rest.potentialGradient) missing.push("potentialGradient");
  return missing;
}
