// The memory layout of mechanisms: rigid bodies, markers, constraint rows and forces. Like
// layout.ts it is compiled by asc (into the bodies module) and by tsc: only integers and enums.
//
// Coordinates. Body b has 7 positions: its centre of mass r (world) and Euler parameters e (scalar
// first, body to world), and 6 velocities: v = r' (world) and w, the angular velocity in its own
// frame. Positions of all bodies lie one after the other, then velocities. R(e) is that of e / |e|.
//
// One table of 32-bit integers describes the mechanism; all kernels take its address as first
// argument. Body index BODY_COUNT is the ground: it has a frame (the identity, at rest) but no
// coordinates.

/** Coordinates of one body in q. */
export const BODY_POSITIONS: i32 = 7;
/** Coordinates of one body in v. */
export const BODY_VELOCITIES: i32 = 6;

/** Minimum slots of VELOCITY_SCRATCH, as needed by rolling rows and derivatives. */
export const DERIVATIVE_SCRATCH: i32 = 52;

/** Head of the table. Lists are offsets into the table in integers; other fields as commented. */
export enum BodyTable {
  BODY_COUNT = 0,
  MARKER_COUNT = 1,
  /** Entries in the list of rows (RowEntry). */
  ENTRY_COUNT = 2,
  SENSOR_COUNT = 3,
  FORCE_COUNT = 4,
  /** Constraint rows: length of PHI. */
  ROW_COUNT = 5,
  /** Offsets of the lists. */
  MARKER_LIST = 6,
  ENTRY_LIST = 7,
  SENSOR_LIST = 8,
  FORCE_LIST = 9,
  /** Addresses in bytes: the trial q and v. */
  POSITIONS = 10,
  VELOCITIES = 11,
  /** Addresses of records: one BodyFrame for each body and the ground, and so on. */
  FRAMES = 12,
  MASSES = 13,
  LOCALS = 14,
  MARKERS = 15,
  SENSORS = 16,
  /** Constants and prescribed values of rows, sensors and forces; entries hold their slots. */
  DATA = 17,
  /** Results of the rows. */
  PHI = 18,
  PHI_DOT = 19,
  GAMMA = 20,
  /** Jacobian blocks: one for each body of each constraint block, row-major with six columns. */
  JACOBIAN = 21,
  /** Generalised forces: six for each body, then six unused ones (the ground). */
  FORCES = 22,
  /** Block sparse S = J M^-1 J^T: its table (layout.ts), factor, pivots, scratch of a solve. */
  SPARSE_TABLE = 23,
  SPARSE_FACTOR = 24,
  SPARSE_PIVOTS = 25,
  SPARSE_SCRATCH = 26,
  /** M^-1 J^T of one block; sized for the largest block. */
  WHITENED = 27,
  /** Scratch: one vector of rows, and two of velocities (at least DERIVATIVE_SCRATCH slots). */
  ROW_SCRATCH = 28,
  VELOCITY_SCRATCH = 29,
  /** Rank information: one LoopBlock for each column of the factor. */
  LOOP_BLOCKS = 30,
  /**
   * 1: R by the formula for unit Euler parameters, whether they are normalised or not.
   * PLAIN_ROWS: J by those formulas as well.
   */
  PLAIN = 31,
  /** Scratch: loopScratchSlots of the largest block. */
  LOOP_SCRATCH = 32,
  /**
   * 1: frames of bodies are written by tree/bodies.ts, not computed from POSITIONS and
   * VELOCITIES.
   */
  FRAMES_GIVEN = 33,
  LENGTH = 34,
}

/** A value of BodyTable.PLAIN. */
export const PLAIN_ROWS: i32 = 2;

/** How a factorisation of S = J M^-1 J^T treats redundant rows. */
export enum Rank {
  /** No treatment: a row whose pivot vanishes gets no multiplier. */
  PLAIN = 0,
  /** Rank unknown: every row has a small compliance. */
  UNKNOWN = 1,
  /** Rank known for each block: redundant directions are made stiff, the others stay exact. */
  KNOWN = 2,
}

/** Rank information of a block of rows, in the order in which blocks are eliminated. */
export enum LoopBlock {
  /** Number of redundant rows in the block; -1 for a block that closes no loop. */
  DEPENDENT = 0,
  /** The largest value of the pivot below at poses near the start: far from singular poses. */
  REFERENCE = 1,
  /** The smallest pivot of its independent directions in the last factorisation with Rank.KNOWN. */
  PIVOT = 2,
  /** 1: all its rows follow from those of other blocks between the same bodies, at every pose. */
  CIRCULAR_REASON = 3,
  /**
   * Stiffness that the last factorisation with Rank.KNOWN added to the block, relative to PIVOT: 1
   * if redundant directions were made stiff.
   */
  ADDED = 4,
  LENGTH = 5,
}

/** Scratch of a block: its matrix, null vectors, and which rows were eliminated. */
export function loopScratchSlots(rows: i32): i32 {
  return 2 * rows * rows + rows;
}

/** Pose and velocity of a body, in the world. */
export enum BodyFrame {
  /** R, column-major: the axes of the body. */
  ROTATION = 0,
  /** Angular velocity. */
  OMEGA = 9,
  POINT = 12,
  VELOCITY = 15,
  LENGTH = 18,
}

/** Mass and inertia about the centre of mass, in the axes of the body; both matrices symmetric. */
export enum BodyMass {
  MASS = 0,
  INVERSE_MASS = 1,
  /** 3 x 3. */
  INERTIA = 2,
  INVERSE_INERTIA = 11,
  /** Acceleration of gravity in the world; identical for all bodies. */
  GRAVITY = 20,
  LENGTH = 23,
}

/** One marker in the table. */
export enum MarkerEntry {
  /** Index of its body; BODY_COUNT for the ground. */
  BODY = 0,
  /** 1 if its axes are needed. */
  HAS_AXES = 1,
  /** 1 if a row or a force reads it, directly or through a sensor. */
  USED = 2,
  LENGTH = 3,
}

/** A marker in its body: position relative to the centre of mass and axes, in the body's axes. */
export enum MarkerLocal {
  ARM = 0,
  /** 3 x 3, column-major: x, y, z of the marker. */
  AXES = 3,
  LENGTH = 12,
}

/** A marker in the world. */
export enum MarkerFrame {
  POINT = 0,
  /** From the centre of mass to the marker. */
  ARM = 3,
  VELOCITY = 6,
  /** w x (w x arm): the centripetal part of its acceleration. */
  DRIFT = 9,
  /** 3 x 3, column-major: x, y, z. */
  AXES = 12,
  LENGTH = 21,
}

/** Quantities to evaluate, one bit each. */
export enum Want {
  PHI = 1,
  JACOBIAN = 2,
  /** phiDot and gamma. */
  RATES = 4,
  /** Also evaluate sensors that no row and no force uses. */
  ALL_SENSORS = 8,
  /** Frames already hold the trial state: evaluate only rows and sensors. */
  FRAMES_KNOWN = 16,
}

/** Prescribed function of time of a row: f with its derivatives, at the beginning of its DATA. */
export enum Prescribed {
  VALUE = 0,
  RATE = 1,
  SECOND = 2,
  LENGTH = 3,
}

/** DATA of DISTANCE, after Prescribed. */
export enum DistanceData {
  /** 1 / L0. */
  SCALE = 0,
}

/** DATA of COUPLE, after Prescribed. */
export enum CoupleData {
  FACTOR_A = 0,
  FACTOR_B = 1,
}

/** DATA of WHEEL_HEIGHT and ROLLING. */
export enum WheelData {
  RADIUS = 0,
}

/** Constraint primitives. A and B are markers; a_i, b_j their axes; d = point of B - point of A. */
export enum RowKind {
  /** Three rows, along the axes of the world: d = 0. */
  COINCIDE = 0,
  /** a_i . b_j = 0. */
  DOT1 = 1,
  /** a_i . d = f(t). DATA: Prescribed. */
  DOT2 = 2,
  /** (d . d - L^2) / (2 L0) = 0. DATA: Prescribed L, DistanceData. */
  DISTANCE = 3,
  /** k1 s1 + k2 s2 = f(t) for sensors. DATA: Prescribed, CoupleData. */
  COUPLE = 4,
  /**
   * Height of a wheel over a plane. A: a point of the plane, its z the normal n. B: the centre of
   * the wheel, its z the axle c. n . d = radius sqrt(1 - (n . c)^2) for a disk (AXIS_B = 1), n .
   * d = radius for a sphere (AXIS_B = 0). DATA: WheelData.
   */
  WHEEL_HEIGHT = 5,
  /**
   * Velocity row. Rolling: a_i (i = AXIS_A, 0 or 1: in the plane) . (velocity of the wheel's
   * material point - that of the plane's) = 0 at the point of contact. Markers, AXIS_B and DATA
   * as above.
   */
  ROLLING = 6,
  /**
   * Velocity row. a_i . velocity of A's point = 0: a blade, a knife edge, a skate. B is not used.
   */
  KNIFE_EDGE = 7,
  /** Row evaluated by user functions; the kernels skip it. */
  USER = 8,
}

/**
 * Contact point of a wheel, in VELOCITY_SCRATCH: u, p - r_A, p - r_B, k and 1 / h of rolling.ts.
 */
export enum Contact {
  NORMAL = 0,
  ARM_A = 3,
  ARM_B = 6,
  TILT = 9,
  SCALE = 10,
}

/** One primitive in the table. */
export enum RowEntry {
  KIND = 0,
  /** First row. */
  ROW = 1,
  /** Markers; for COUPLE the two sensors, the second -1 if there is none. */
  A = 2,
  B = 3,
  AXIS_A = 4,
  AXIS_B = 5,
  /** Slots of the row in JACOBIAN for the bodies of A and B. The ground has an unused slot. */
  JACOBIAN_A = 6,
  JACOBIAN_B = 7,
  /** Slots for the second sensor of COUPLE. Bodies may coincide: contributions add. */
  JACOBIAN_C = 8,
  JACOBIAN_D = 9,
  /** Slot of its constants in DATA. */
  DATA = 10,
  LENGTH = 11,
}

/** Scalars measured between two markers. */
export enum SensorKind {
  /** Angle from x of A to x of B about z of A, unwrapped by AngleData. */
  ANGLE = 0,
  /** z of A . d. */
  DISPLACEMENT = 1,
  /** |d|. */
  LENGTH = 2,
}

/** One sensor in the table. */
export enum SensorEntry {
  KIND = 0,
  A = 1,
  B = 2,
  /** Slot in DATA. ANGLE: an AngleData. */
  DATA = 3,
  /** 1 if a row or a force uses it. */
  USED = 4,
  LENGTH = 5,
}

/** Data that unwraps an angle: the revolution nearest to ACCEPTED + CHANGE is chosen. */
export enum AngleData {
  /** The angle at the last accepted state. */
  ACCEPTED = 0,
  /** Estimated change since then, from a coordinate of a tree or from a rate. */
  CHANGE = 1,
  LENGTH = 2,
}

/** Output of a sensor. rate = J_A v_A + J_B v_B; its derivative is J a - gamma. */
export enum Sensor {
  VALUE = 0,
  RATE = 1,
  GAMMA = 2,
  /** Six entries for the body of A, then six for that of B. */
  JACOBIAN_A = 3,
  JACOBIAN_B = 9,
  LENGTH = 15,
}

/** Parts of the forces to evaluate, as bits. */
export enum ForcePart {
  /** Minus the derivatives of the potential. */
  CONSERVATIVE = 1,
  OTHER = 2,
  /** -w x I w. */
  GYROSCOPIC = 4,
  ALL = 7,
  /** CONSERVATIVE without gravity. */
  WITHOUT_GRAVITY = 8,
}

/** DATA of FORCE and TORQUE: x, y, z; in the axes of A if FLAG is 1, else of the world. */
export enum AppliedData {
  VECTOR = 0,
  LENGTH = 3,
}

/** DATA of SPRING and SENSOR_SPRING: F = f - k (s - s0) - c s'. */
export enum SpringData {
  /** k */
  STIFFNESS = 0,
  /** s0: the length or angle at which it is slack. */
  FREE = 1,
  /** c */
  DAMPING = 2,
  /** f */
  FORCE = 3,
  LENGTH = 4,
}

/** DATA of BUSHING: three values each, along the axes of A and about them. */
export enum BushingData {
  STIFFNESS = 0,
  DAMPING = 3,
  TURN_STIFFNESS = 6,
  TURN_DAMPING = 9,
  /** Forces and torques added to spring and damper, along and about the axes. */
  FORCE = 12,
  TURN_FORCE = 15,
  LENGTH = 18,
}

/** DATA of DRAG: c1, c2, c3, c4. */
export enum DragData {
  LINEAR = 0,
  QUADRATIC = 1,
  ANGULAR = 2,
  ANGULAR_QUADRATIC = 3,
  LENGTH = 4,
}

/** DATA of TYRE. */
export enum TyreData {
  STIFFNESS = 0,
  DAMPING = 1,
  RADIUS = 2,
  /** Height of the road at the wheel, and its rate as seen by the wheel. */
  HEIGHT = 3,
  RATE = 4,
  /** 1 if it cannot pull. */
  CANNOT_PULL = 5,
  /** Used by derivatives only: d height and d rate by x and y of the wheel, two each. */
  SLOPES = 6,
  RATE_SLOPES = 8,
  LENGTH = 10,
}

/** DATA of STOP: limits of the measured value, infinite if absent. */
export enum StopData {
  /**
   * k in F = k x^n g(d x'), x the penetration; zero for a rigid stop, which exerts no force here.
   */
  STIFFNESS = 0,
  /** n, 1 or more. */
  EXPONENT = 1,
  /** d, per unit of speed. */
  DAMPING = 2,
  LOWER = 3,
  UPPER = 4,
  /** Coefficient of restitution of a rigid stop. The kernels do not read it. */
  RESTITUTION = 5,
  LENGTH = 6,
}

/** DATA of FRICTION. */
export enum FrictionData {
  /** Friction while sliding, and the largest before sliding, for a LOAD of 1. */
  COULOMB = 0,
  STATIC = 1,
  /** Transition velocity, at which the largest magnitude is reached. */
  SPEED = 2,
  /** Viscous coefficient: force per speed. */
  VISCOUS = 3,
  /** Factor of the first two: 1, or the reaction of the joint. */
  LOAD = 4,
  LENGTH = 5,
}

/** Laws of force. */
export enum ForceKind {
  /** At the point of A. DATA: AppliedData. */
  FORCE = 0,
  /** On the body of A. DATA and FLAG as for FORCE. */
  TORQUE = 1,
  /** Along d, B is pushed away by f - k (|d| - L0) - c |d|', A the other way. DATA: SpringData. */
  SPRING = 2,
  /** About a sensor's direction (A = sensor). DATA: SpringData. */
  SENSOR_SPRING = 3,
  /** Between A and B in the axes of A; rotations: 2 x relative (e1, e2, e3). DATA: BushingData. */
  BUSHING = 4,
  /** At the point of A: -(c1 + c2 |u|) u, -(c3 + c4 |w|) w. DATA: DragData. */
  DRAG = 5,
  /**
   * Wheel on a road: along z of A (on the road's body), at the point of B. DATA: TyreData. Force k
   * (radius - (z . d - height)) - c (rate of z . d - rate).
   */
  TYRE = 6,
  /** In a sensor's direction (A = sensor). DATA: MotorData of layout-motor.ts. */
  MOTOR = 7,
  /** Limits of what a sensor measures (A = sensor). DATA: StopData. */
  STOP = 8,
  /** Against the rate of a sensor (A = sensor). DATA: FrictionData. */
  FRICTION = 9,
}

/** One force in the table. */
export enum ForceEntry {
  KIND = 0,
  A = 1,
  B = 2,
  FLAG = 3,
  DATA = 4,
  LENGTH = 5,
}

/** Update rules of Euler parameters for an angular displacement. */
export enum Turn {
  EXPONENTIAL = 0,
  /** (I - h G)^-1, normalised: predictor of Welch et al., eq. 17. */
  IMPLICIT = 1,
  /** (I - h/2 G)^-1 (I + h/2 G): corrector, eq. 32. */
  CAYLEY = 2,
}
