import { NodriftError } from "../../base/errors.js";
import type { Method, Stabilisation, System } from "../../interfaces/index.js";

/** Returns the stabilisations of a method as a list. */
export function stabilisationsOf({ stabilisation }: Method): readonly Stabilisation[] {
  if (stabilisation === undefined) return [];
  return Array.isArray(stabilisation) ? stabilisation : [stabilisation as Stabilisation];
}

/** Throws for meaningless combinations, with the reason. */
export function checkMethod(method: Method, system: System): void {
  const reason =
    wrongForOde(method, system) ??
    ("coupled" in method ? wrongCoupled(method) : wrongTriple(method)) ??
    wrongStabilisations(method) ??
    wrongForSystem(method, system);
  if (reason !== undefined) throw new NodriftError("METHOD", reason);
}

/** Returns the method as text: "udwadiaKalaba(cod) + driftElimination + rk4". */
export function methodName(method: Method): string {
  const extra = stabilisationsOf(method).map(({ name }) => name);
  const names =
    "coupled" in method
      ? [method.coupled.name, ...extra]
      : [method.formulation.name, ...extra, method.integrator.name];
  return names.join(" + ");
}

function wrongForOde(method: Method, system: System): string | undefined {
  const takes = "formulation" in method && method.formulation.onlyForOde === true;
  if (takes === (system.ode !== undefined)) return undefined;
  if (!takes) return odeReason(system);
  return `${method.formulation.name} is for plain differential equations, but ${system.name} is a mechanical system`;
}

/** Throws for ODEs: their fixed steps, too, are taken by `solve`. */
export function refuseOde(system: System): void {
  if (system.ode) throw new NodriftError("METHOD", odeReason(system));
}

function odeReason({ name }: System): string {
  return `${name} is an ODE: use solve() with an \`integrator\` or firstOrder()`;
}

function wrongCoupled(method: Extract<Method, { coupled: unknown }>): string | undefined {
  const other = stabilisationsOf(method).find(
    ({ actsOn }) => actsOn !== "afterStep" && actsOn !== "nothing",
  );
  if (other === undefined) return undefined;
  return (
    `${other.name} cannot be combined with ${method.coupled.name}: that method enforces the constraints ` +
    "inside its own step and has no rates to change; only corrections after the step, like projection(), fit"
  );
}

function wrongTriple(method: Exclude<Method, { coupled: unknown }>): string | undefined {
  const { formulation, integrator } = method;
  const { index = 0 } = formulation;
  const { highestIndex = 0 } = integrator;
  if (index > highestIndex) {
    return (
      `${formulation.name} has multipliers among its unknowns, with index ${index}: with ${integrator.name} they would ` +
      `${highestIndex === 0 ? "not be solved for" : "not converge"}; use radau5()${index === 2 ? ", sdirk4()" : ""} or bdf()`
    );
  }
  if (formulation.changesUnknowns && integrator.isMultistep) {
    return (
      `${integrator.name} is a multistep method, but ${formulation.name} redefines its unknowns at each step: ` +
      "use a one-step method like rk4()"
    );
  }
  if (integrator.needsVelocities && formulation.level !== "acceleration") {
    return (
      `${integrator.name} advances velocities, then positions by the new ones, but ${formulation.name} has other unknowns ` +
      "than q and v: use a formulation on the level of accelerations like udwadiaKalaba()"
    );
  }
  for (const stabilisation of stabilisationsOf(method)) {
    const { name, actsOn, oneStepOnly, gainsFollowStep } = stabilisation;
    if (actsOn === "stages" && formulation.level !== "acceleration") {
      return (
        `${name} moves the state before each evaluation, but ${formulation.name} finds velocities from the ` +
        "constraints itself: use projection(), or a formulation on the level of accelerations"
      );
    }
    if (
      (actsOn === "accelerations" || actsOn === "rates") &&
      formulation.level !== "acceleration"
    ) {
      return (
        `${name} changes accelerations, but ${formulation.name} enforces the constraints on the level of ` +
        `${formulation.level === "velocity" ? "velocities" : "positions"} and does not integrate them: ` +
        "use projection(), or a formulation on the level of accelerations"
      );
    }
    if (oneStepOnly && integrator.isMultistep) {
      return (
        `${name} removes the constraint error over one step, but the multistep method ${integrator.name} would ` +
        "reuse that correction: use a one-step method like rk4()"
      );
    }
    if (gainsFollowStep && integrator.isMultistep && integrator.isImplicit) {
      return (
        `${name} has gains that follow the step: errors that ${integrator.name} left in longer steps would be removed immediately ` +
        "in shorter ones, and no step is short enough; give fixed gains, as in baumgarte({ alpha: 5, beta: 5 }) or energyVelocity({ gain: 5 }), or use projection()"
      );
    }
  }
  return undefined;
}

function wrongStabilisations(method: Method): string | undefined {
  const list = stabilisationsOf(method);
  for (const kind of ["stages", "accelerations", "rates"] as const) {
    const [first, second] = list.filter(({ actsOn }) => actsOn === kind);
    if (first && second) {
      const what = kind === "rates" ? "the same energy error" : "the same constraint errors";
      return `${first.name} and ${second.name} would both correct ${what}: use one of them`;
    }
  }
  return undefined;
}

function wrongForSystem(method: Method, system: System): string | undefined {
  const energy = stabilisationsOf(method).find(({ needsEnergy }) => needsEnergy);
  if (energy && !system.energy.hasPotential) {
    return `${energy.name} controls the energy, but the system has no potential: give \`potential\``;
  }
  const dense = stabilisationsOf(method).find(({ needsDense }) => needsDense);
  if (dense && !system.matrices.dense) {
    return `${dense.name} needs dense matrices, which this system does not have`;
  }
  if ("formulation" in method && method.formulation.needs === "dense" && !system.matrices.dense) {
    return `${method.formulation.name} needs dense matrices, which this system does not have`;
  }
  return undefined;
}
