// Every quantity that formulas can read of a mechanism: z('ball'), angle('hinge'), energy(). Quantities with a
// measure follow from poses and velocities alone, so laws of forces and rows can use them. The others (accelerations,
// reactions, energies) need a solution, so only events, plots and tables can use them.

/** Dimension of a quantity, for axes and tables. */
export type Dimension =
  | "length"
  | "velocity"
  | "acceleration"
  | "angle"
  | "angular velocity"
  | "force"
  | "torque"
  | "power"
  | "energy"
  | "ratio";

const AXES = ["x", "y", "z"] as const;

/** Measure of a point of a body. `axis` is a world axis, `of` an axis of the body or marker. */
export type PointMeasure =
  | { readonly kind: "position" | "velocity"; readonly axis: number }
  | { readonly kind: "direction"; readonly axis: number; readonly of: number }
  | { readonly kind: "speed" };

/** Measure of a body as a whole. */
export interface BodyMeasure {
  readonly kind: "angularVelocity" | "acceleration";
  readonly axis: number;
}

/** Measure of a sensor of a joint or a force. */
export interface SensorMeasure {
  readonly sensor: "angle" | "displacement" | "length";
  readonly isRate: boolean;
}

/** An entry of the vocabulary. */
export interface Term<Measure> {
  readonly name: string;
  readonly dimension: Dimension;
  readonly measure: Measure;
}

const named = <Measure>(name: string, dimension: Dimension, measure: Measure): Term<Measure> => ({
  name,
  dimension,
  measure,
});

/** Quantities of a body or one of its markers: 'crank', 'crank:tip'. rxy is the x component of its y axis. */
export const pointQuantities: readonly Term<PointMeasure>[] = [
  ...AXES.map((x, axis) => named(x, "length", { kind: "position", axis } as const)),
  ...AXES.map((x, axis) => named(`v${x}`, "velocity", { kind: "velocity", axis } as const)),
  named("speed", "velocity", { kind: "speed" }),
  ...AXES.flatMap((x, axis) =>
    AXES.map((y, of) => named(`r${x}${y}`, "ratio", { kind: "direction", axis, of } as const)),
  ),
];

export const bodyQuantities: readonly Term<BodyMeasure>[] = [
  ...AXES.map((x, axis) =>
    named(`w${x}`, "angular velocity", { kind: "angularVelocity", axis } as const),
  ),
  ...AXES.map((x, axis) => named(`a${x}`, "acceleration", { kind: "acceleration", axis } as const)),
];

/** Magnitude of a reaction or load, or its component along a world axis. */
export interface LoadMeasure {
  readonly load: "force" | "torque";
  readonly axis: number | undefined;
}

export type JointMeasure =
  | SensorMeasure
  | LoadMeasure
  | { readonly other: "driveForce" }
  /** Multiplier of a row. */
  | { readonly row: string };
export type ForceMeasure =
  | SensorMeasure
  | LoadMeasure
  | { readonly other: "power" | "energy" | "driveForce" };

const angles = [
  named("angle", "angle", { sensor: "angle", isRate: false } as const),
  named("angleRate", "angular velocity", { sensor: "angle", isRate: true } as const),
];
const displacements = [
  named("displacement", "length", { sensor: "displacement", isRate: false } as const),
  named("displacementRate", "velocity", { sensor: "displacement", isRate: true } as const),
];
const lengths = [
  named("length", "length", { sensor: "length", isRate: false } as const),
  named("lengthRate", "velocity", { sensor: "length", isRate: true } as const),
];
const loads: readonly Term<LoadMeasure>[] = (["force", "torque"] as const).flatMap((load) => [
  named(load, load, { load, axis: undefined }),
  ...AXES.map((x, axis) => named(`${load[0]}${x}`, load, { load, axis })),
]);

export const jointQuantities: readonly Term<JointMeasure>[] = [
  ...angles,
  ...displacements,
  ...lengths,
  ...loads,
  named("driveForce", "force", { other: "driveForce" }),
];

/** Quantities of forces. A name that a joint has too refers to the joint. */
export const forceQuantities: readonly Term<ForceMeasure>[] = [
  ...angles,
  ...displacements,
  ...lengths,
  ...loads,
  named("motorTorque", "torque", { other: "driveForce" }),
  named("power", "power", { other: "power" }),
  named("motorPower", "power", { other: "power" }),
  named("springEnergy", "energy", { other: "energy" }),
];

/** Quantities of states and controller outputs: 'pi.integral', or 'pi' if it has a single entry. */
export type SetMeasure = "state" | "output";

export const setQuantities: readonly { readonly name: SetMeasure }[] = [
  { name: "state" },
  { name: "output" },
];

export type WholeMeasure = "total" | "kinetic" | "potential" | "constraintError";

/** Quantities of the whole mechanism. */
export const systemQuantities: readonly Term<WholeMeasure>[] = [
  named("energy", "energy", "total"),
  named("kineticEnergy", "energy", "kinetic"),
  named("potentialEnergy", "energy", "potential"),
  named("constraintError", "length", "constraintError"),
];

/**
 * Multiplier of a row of a joint: 'lift.height', or 'lift' if it has a single row. Its product with the rate of the
 * residual is the power of the row.
 */
export const MULTIPLIER = "multiplier";

/** All names of quantities. */
export const quantityNames: readonly string[] = [
  MULTIPLIER,
  ...new Set(
    [
      pointQuantities,
      bodyQuantities,
      jointQuantities,
      forceQuantities,
      setQuantities,
      systemQuantities,
    ].flatMap((list: readonly { readonly name: string }[]) => list.map(({ name }) => name)),
  ),
];
