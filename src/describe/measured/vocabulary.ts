// Every quantity that formulas can read of a mechanism: z('ball'), angle('hinge'), energy(). Those with a measure follow
// from poses and velocities alone, so that laws of forces and rows can be made of them; the others (accelerations,
// reactions, energies) are found from a solution, and only events, plots and tables read them.

/** What a quantity is, for axes and tables. */
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

/** Of a point of a body. `axis` is that of the world, `of` that of the body or marker. */
export type PointMeasure =
  | { readonly kind: "position" | "velocity"; readonly axis: number }
  | { readonly kind: "direction"; readonly axis: number; readonly of: number }
  | { readonly kind: "speed" };

/** Of a body as a whole. */
export interface BodyMeasure {
  readonly kind: "angularVelocity" | "acceleration";
  readonly axis: number;
}

/** What a sensor of a joint says, or of a force. */
export interface SensorMeasure {
  readonly sensor: "angle" | "displacement" | "length";
  readonly isRate: boolean;
}

/** A name of the vocabulary. */
export interface Named<Measure> {
  readonly name: string;
  readonly dimension: Dimension;
  readonly measure: Measure;
}

const named = <Measure>(name: string, dimension: Dimension, measure: Measure): Named<Measure> => ({
  name,
  dimension,
  measure,
});

/** Of a body, or of one of its markers: 'crank', 'crank:tip'. rxy is the x of its y axis. */
export const pointQuantities: readonly Named<PointMeasure>[] = [
  ...AXES.map((x, axis) => named(x, "length", { kind: "position", axis } as const)),
  ...AXES.map((x, axis) => named(`v${x}`, "velocity", { kind: "velocity", axis } as const)),
  named("speed", "velocity", { kind: "speed" }),
  ...AXES.flatMap((x, axis) =>
    AXES.map((y, of) => named(`r${x}${y}`, "ratio", { kind: "direction", axis, of } as const)),
  ),
];

export const bodyQuantities: readonly Named<BodyMeasure>[] = [
  ...AXES.map((x, axis) =>
    named(`w${x}`, "angular velocity", { kind: "angularVelocity", axis } as const),
  ),
  ...AXES.map((x, axis) => named(`a${x}`, "acceleration", { kind: "acceleration", axis } as const)),
];

/** Read from a reaction or a load: the magnitude, or one axis of the world. */
export interface LoadMeasure {
  readonly load: "force" | "torque";
  readonly axis: number | undefined;
}

export type JointMeasure =
  | SensorMeasure
  | LoadMeasure
  | { readonly other: "driveForce" }
  /** The multiplier of a row. */
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
const loads: readonly Named<LoadMeasure>[] = (["force", "torque"] as const).flatMap((load) => [
  named(load, load, { load, axis: undefined }),
  ...AXES.map((x, axis) => named(`${load[0]}${x}`, load, { load, axis })),
]);

export const jointQuantities: readonly Named<JointMeasure>[] = [
  ...angles,
  ...displacements,
  ...lengths,
  ...loads,
  named("driveForce", "force", { other: "driveForce" }),
];

/** What has the name of a joint is that of the joint. */
export const forceQuantities: readonly Named<ForceMeasure>[] = [
  ...angles,
  ...displacements,
  ...lengths,
  ...loads,
  named("motorTorque", "torque", { other: "driveForce" }),
  named("power", "power", { other: "power" }),
  named("motorPower", "power", { other: "power" }),
  named("springEnergy", "energy", { other: "energy" }),
];

/** Numbers of states, and of what controllers give: 'pi.integral', or 'pi' where it has one number. */
export type SetMeasure = "state" | "output";

export const setQuantities: readonly { readonly name: SetMeasure }[] = [
  { name: "state" },
  { name: "output" },
];

export type WholeMeasure = "total" | "kinetic" | "potential" | "constraintError";

/** Of all together. */
export const wholeQuantities: readonly Named<WholeMeasure>[] = [
  named("energy", "energy", "total"),
  named("kineticEnergy", "energy", "kinetic"),
  named("potentialEnergy", "energy", "potential"),
  named("constraintError", "length", "constraintError"),
];

/** Of a row of a joint: 'lift.height', or 'lift' where it has one row. Power of the row is this times the rate of its residual. */
export const MULTIPLIER = "multiplier";

/** Every name that can be called. */
export const quantityNames: readonly string[] = [
  MULTIPLIER,
  ...new Set(
    [
      pointQuantities,
      bodyQuantities,
      jointQuantities,
      forceQuantities,
      setQuantities,
      wholeQuantities,
    ].flatMap((list: readonly { readonly name: string }[]) => list.map(({ name }) => name)),
  ),
];
