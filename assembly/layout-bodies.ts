// The memory layout of mechanisms: rigid bodies, markers, constraint rows and forces. Like
// layout.ts it is compiled by asc (into the bodies module) and by tsc: only integers and enums.
//
// Coordinates. Body b has 7 positions: its centre of mass r (world) and Euler parameters e (scalar
// first, body to world), and 6 velocities: v = r' (world) and w, the angular velocity in its own
// frame. Positions of all bodies lie one after the other, then velocities. R(e) is that of e / |e|.
//
// One table of 32-bit integers says what there is and where: all kernels take its address first.
// Body number BODY_COUNT is the ground: it has a frame (the identity, at rest) but no coordinates.

/** Numbers of a body in q. */
export const BODY_POSITIONS: i32 = 7;
/** Numbers of a body in v. */
export const BODY_VELOCITIES: i32 = 6;

/** Slots that VELOCITY_SCRATCH has at least: what rolling rows and derivatives need. */
export const DERIVATIVE_SCRATCH: i32 = 52;

/** Head of the table. Lists are positions in the table, counted in integers; others are as said. */
export enum BodyTable {
  BODY_COUNT = 0,
  MARKER_COUNT = 1,
  /** Entries in the list of rows: see RowEntry. */
  ENTRY_COUNT = 2,
  SENSOR_COUNT = 3,
  FORCE_COUNT = 4,
  /** Constraint rows: numbers in PHI. */
  ROW_COUNT = 5,
  /** Lists. */
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
  /** Constants and prescribed values of rows, sensors and forces: entries say where. */
  DATA = 17,
  /** Results. */
  PHI = 18,
  PHI_DOT = 19,
  GAMMA = 20,
  /** Jacobian blocks: one for each body of each constraint block, by rows of six. */
  JACOBIAN = 21,
  /** Generalised forces: six for each body, then six unused ones (the ground). */
  FORCES = 22,
  /** Block sparse S = J M^-1 J^T: its table (layout.ts), factor, pivots, scratch of a solve. */
  SPARSE_TABLE = 23,
  SPARSE_FACTOR = 24,
  SPARSE_PIVOTS = 25,
  SPARSE_SCRATCH = 26,
  /** M^-1 J^T of one block: as many slots as the largest has. */
  WHITENED = 27,
  /** Scratch: one vector of rows, and two of velocities (not less than DERIVATIVE_SCRATCH). */
  ROW_SCRATCH = 28,
  VELOCITY_SCRATCH = 29,
  /** What is known of the rank: one LoopBlock for each column of the factor. */
  LOOP_BLOCKS = 30,
  /**
   * 1: R by the formula for unit Euler parameters, whether they are normalised or not.
   * PLAIN_ROWS: J by the formulas for them as well.
   */
  PLAIN = 31,
  /** Scratch: loopScratchSlots of the largest block. */
  LOOP_SCRATCH = 32,
  /**
   * 1: frames of bodies are written by somebody else (tree/bodies.ts), not found from POSITIONS and
   * VELOCITIES.
   */
  FRAMES_GIVEN = 33,
  LENGTH = 34,
}

/** A value of BodyTable.PLAIN. */
export const PLAIN_ROWS: i32 = 2;

/** How a factorisation of S = J M^-1 J^T treats redundant rows. */
export enum Rank {
  /** As they come: a row whose pivot vanishes gets no multiplier. */
  PLAIN = 0,
  /** Nothing is known: every row has a small compliance. */
  UNKNOWN = 1,
  /** Known for each block: redundant directions are made stiff, the others stay exact. */
  KNOWN = 2,
}

/** What is known of a block of rows, in the order in which blocks are eliminated. */
export enum LoopBlock {
  /** Redundant rows of the block; -1 for a block that closes no loop. */
  DEPENDENT = 0,
  /** The largest value of the pivot below at poses near the start: far from singular poses. */
  REFERENCE = 1,
  /** The smallest pivot of its independent directions in the last factorisation with Rank.KNOWN. */
  PIVOT = 2,
  /** 1: all its rows follow from those of other blocks between the same bodies, at every pose. */
  FOLLOWS = 3,
  /**
   * What the last factorisation with Rank.KNOWN added to the block, in parts of PIVOT: 1 where
   * redundant directions were made stiff.
   */
  ADDED = 4,
  LENGTH = 5,
}

/** Scratch of a block: its matrix, null vectors, and which rows were eliminated. */
export function loopScratchSlots(rows: i32): i32 {
  return 2 * rows * rows + rows;
}

/** A body's pose and velocity, in the world. */
export enum BodyFrame {
  /** R by columns: the axes of the body. */
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
  /** Acceleration of gravity, world: the same for all bodies. */
  GRAVITY = 20,
  LENGTH = 23,
}

/** One marker in the table. */
export enum MarkerEntry {
  /** Number of its body; BODY_COUNT for the ground. */
  BODY = 0,
  /** 1 when its axes are asked for. */
  HAS_AXES = 1,
  /** 1 when a row or a force reads it, itself or by a sensor. */
  USED = 2,
  LENGTH = 3,
}

/** A marker in its body: place relative to the centre of mass and axes, in the body's axes. */
export enum MarkerLocal {
  ARM = 0,
  /** 3 x 3 by columns: x, y, z of the marker. */
  AXES = 3,
  LENGTH = 12,
}

/** A marker in the world. */
export enum MarkerFrame {
  POINT = 0,
  /** From the centre of mass to the marker. */
  ARM = 3,
  VELOCITY = 6,
  /** w x (w x arm): the part of its acceleration that comes from turning. */
  DRIFT = 9,
  /** By columns: x, y, z. */
  AXES = 12,
  LENGTH = 21,
}

/** What is to be evaluated: one bit each. */
export enum Want {
  PHI = 1,
  JACOBIAN = 2,
  /** phiDot and gamma. */
  RATES = 4,
  /** Also of sensors that no row and no force uses. */
  ALL_SENSORS = 8,
  /** Frames are those of the trial state already: only rows and sensors are evaluated. */
  FRAMES_KNOWN = 16,
}

/** What rows of time hold: f with its derivatives, at the beginning of their DATA. */
export enum Prescribed {
  VALUE = 0,
  RATE = 1,
  SECOND = 2,
  LENGTH = 3,
}

/** DATA of DISTANCE, behind what is prescribed. */
export enum DistanceData {
  /** 1 / L0. */
  SCALE = 0,
}

/** DATA of COUPLE, behind what is prescribed. */
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
  /** Written by the user's functions: the kernels leave it alone. */
  USER = 8,
}

/** Where a wheel touches, in VELOCITY_SCRATCH: u, p - r_A, p - r_B, k and 1 / h of rolling.ts. */
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
  /** Slot of the row in JACOBIAN for the body of A and of B. The ground has an unused slot. */
  JACOBIAN_A = 6,
  JACOBIAN_B = 7,
  /** The same for the second sensor of COUPLE. Bodies may be the same: contributions add. */
  JACOBIAN_C = 8,
  JACOBIAN_D = 9,
  /** Slot of its constants in DATA. */
  DATA = 10,
  LENGTH = 11,
}

/** Scalars measured between two markers. */
export enum SensorKind {
  /** Angle from x of A to x of B about z of A, without jumps: its turn is told by AngleData. */
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
  /** 1 when a row or a force uses it. */
  USED = 4,
  LENGTH = 5,
}

/** What tells the turn of an angle: it is the nearest to ACCEPTED + CHANGE. */
export enum AngleData {
  /** The angle at the last accepted state. */
  ACCEPTED = 0,
  /** By how much it has changed since then, roughly: a coordinate of a tree, or a rate, says so. */
  CHANGE = 1,
  LENGTH = 2,
}

/** What a sensor says. rate = J_A v_A + J_B v_B; its derivative is J a - gamma. */
export enum Sensor {
  VALUE = 0,
  RATE = 1,
  GAMMA = 2,
  /** Six numbers for the body of A, six for that of B. */
  JACOBIAN_A = 3,
  JACOBIAN_B = 9,
  LENGTH = 15,
}

/** Which part of the forces: bits. */
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

/** DATA of BUSHING: three numbers each, along the axes of A and about them. */
export enum BushingData {
  STIFFNESS = 0,
  DAMPING = 3,
  TURN_STIFFNESS = 6,
  TURN_DAMPING = 9,
  /** What is added to spring and damper, along and about. */
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
  /** Of the road where the wheel is, and its rate for the wheel. */
  HEIGHT = 3,
  RATE = 4,
  /** 1 if it cannot pull. */
  CANNOT_PULL = 5,
  /** For derivatives only: those of height and rate by x and y of the wheel, two each. */
  SLOPES = 6,
  RATE_SLOPES = 8,
  LENGTH = 10,
}

/** DATA of STOP: limits of what is measured, infinite where there is none. */
export enum StopData {
  /** k in F = k x^n g(d x'), x the depth beyond a limit; zero: a rigid stop, which is no force. */
  STIFFNESS = 0,
  /** n, 1 or more. */
  EXPONENT = 1,
  /** d, per unit of speed. */
  DAMPING = 2,
  LOWER = 3,
  UPPER = 4,
  /** Of a rigid stop: part of the speed that a bounce leaves. The kernels do not read it. */
  RESTITUTION = 5,
  LENGTH = 6,
}

/** DATA of FRICTION. */
export enum FrictionData {
  /** Magnitude while sliding, and the largest before it slides: for a LOAD of 1. */
  COULOMB = 0,
  STATIC = 1,
  /** Speed at which the largest magnitude is reached. */
  SPEED = 2,
  /** Besides: force per speed. */
  VISCOUS = 3,
  /** What multiplies the first two: 1, or the reaction of the joint. */
  LOAD = 4,
  LENGTH = 5,
}

/** Laws of force. */
export enum ForceKind {
  /** At the point of A. DATA: AppliedData. */
  FORCE = 0,
  /** On the body of A. DATA and FLAG likewise. */
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

/** How Euler parameters follow an angular displacement. */
export enum Turn {
  EXPONENTIAL = 0,
  /** (I - h G)^-1, normalised: predictor of Welch et al., eq. 17. */
  IMPLICIT = 1,
  /** (I - h/2 G)^-1 (I + h/2 G): corrector, eq. 32. */
  CAYLEY = 2,
}
