import type { EquationsDescription, MassFunction } from "./description.js";
import { namesOf, requireUnique, wrong } from "./names.js";

/** A checked description, ready to be simulated any number of times. */
export interface Equations {
  readonly name: string;
  readonly description: EquationsDescription;
  readonly coordinateNames: readonly string[];
  readonly holonomicNames: readonly string[];
  readonly nonholonomicNames: readonly string[];
  readonly mass: Mass;
  /** What is found by differences because the description does not give it. */
  readonly differentiated: readonly string[];
}

/** The mass matrix as it is stored: its diagonal, or all of it by columns. */
export interface Mass {
  readonly diagonal: boolean;
  readonly constant?: readonly number[];
  readonly function?: MassFunction;
}

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
export function equations(description: EquationsDescription): Equations {
  const name = description.name ?? "system";
  const coordinateNames = namesOf(name, "coordinates", description.coordinates, "q");
  const { holonomic, nonholonomic } = description;
  const holonomicNames = holonomic
    ? namesOf(name, "holonomic.rows", holonomic.rows, "constraint ")
    : [];
  const nonholonomicNames = nonholonomic
    ? namesOf(name, "nonholonomic.rows", nonholonomic.rows, "velocity constraint ")
    : [];
  requireFunctions(name, description);
  requireUnique(name, "coordinates", coordinateNames);
  requireUnique(name, "constraints", [...holonomicNames, ...nonholonomicNames]);
  return {
    name,
    description,
    coordinateNames,
    holonomicNames,
    nonholonomicNames,
    mass: massOf(name, description.mass, coordinateNames),
    differentiated: missingDerivatives(description),
  };
}

const FUNCTIONS = ["forces", "potential", "potentialGradient", "power", "prepare"] as const;
const CONSTRAINT_FUNCTIONS = ["value", "jacobian", "timeDerivative", "gamma"] as const;

function requireFunctions(system: string, description: EquationsDescription): void {
  const check = (path: string, value: unknown, required: boolean) => {
    if (value === undefined && !required) return;
    if (typeof value !== "function") {
      throw wrong(
        system,
        `${path} must be a function${value === undefined ? "; it is missing" : ""}`,
      );
    }
  };
  for (const key of FUNCTIONS) check(key, description[key], key === "forces");
  for (const kind of ["holonomic", "nonholonomic"] as const) {
    const group = description[kind] as Record<string, unknown> | undefined;
    if (group === undefined) continue;
    for (const key of CONSTRAINT_FUNCTIONS) check(`${kind}.${key}`, group[key], key === "value");
  }
}

function massOf(
  system: string,
  mass: EquationsDescription["mass"],
  names: readonly string[],
): Mass {
  const n = names.length;
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
  const given = mass as { diagonal?: MassFunction; full?: MassFunction };
  if (typeof given?.diagonal === "function") return { diagonal: true, function: given.diagonal };
  if (typeof given?.full === "function") return { diagonal: false, function: given.full };
  throw wrong(
    system,
    "mass must be numbers, rows of numbers, { diagonal: function } or { full: function }",
  );
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
