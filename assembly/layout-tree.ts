// The memory layout of relative coordinates: a tree of nodes. Like layout-bodies.ts it is compiled
// by asc (into the bodies module) and by tsc: only integers and enums.
//
// A node is a frame whose kind defines its motion relative to the frame of its parent. Most nodes
// carry a body; those between the parts of a joint (a universal joint is two hinges) carry none.
// Node 0 is the ground; parents come before their children. All vectors are in the axes of the
// world, spatial vectors have the angular part first, and every node is referred to the material
// point at its joint: POINT. A free node is referred to the centre of mass of its body, in the axes
// of its body, with the coordinates of layout-bodies.ts: a forest of free nodes is the system of
// maximal coordinates.
//
// Coordinates of a node in q and v:
//
//   HINGE, SLIDE, SCREW   1, 1   angle, displacement, angle; about or along z of the node
//   BALL                  4, 3   Euler parameters relative to the frame of the joint; angular
//                                velocity in the axes of the node
//   FREE                  7, 6   point and Euler parameters; velocity in the world, angular
//                                velocity in the axes of the node. Its parent is the ground.
//   FIXED                 0, 0

/** Motion of a node relative to its parent. */
export enum NodeKind {
  HINGE = 0,
  SLIDE = 1,
  SCREW = 2,
  BALL = 3,
  FREE = 4,
  FIXED = 5,
}

/** Parts that an outward pass writes, as bits. */
export enum TreePart {
  /** ROTATION, POINT and ARM. */
  POSES = 1,
  /** OMEGA, VELOCITY, BIAS and INERTIA_FORCE. */
  RATES = 2,
  /**
   * A, B and C of each body alone, from which a factorisation starts; with RATES also FORCE,
   * initially INERTIA_FORCE.
   */
  INERTIA = 4,
  /**
   * With all three others: only the fields needed for accelerations, so neither POINT nor VELOCITY
   * nor INERTIA_FORCE.
   */
  LEAN = 8,
}

/** Head of the tree's table of 32-bit integers. */
export enum TreeTable {
  /** Number of nodes including the ground. */
  NODE_COUNT = 0,
  /**
   * Offset of the list of nodes in the table, in integers: one NodeEntry each, that of
   * the ground unused.
   */
  NODE_LIST = 1,
  /** Addresses of records: NodeConstant and Node, one for each node, the ground first. */
  CONSTANTS = 2,
  NODES = 3,
  /** Addresses of the trial q and v. */
  POSITIONS = 4,
  VELOCITIES = 5,
  /** Length of q and of v. */
  POSITION_COUNT = 6,
  VELOCITY_COUNT = 7,
  /**
   * Address of the table of the bodies (layout-bodies.ts), which share frames and loads with the
   * nodes.
   */
  BODY_TABLE = 8,
  /**
   * Remaining rows: count, and number of blocks; a RowBlock and RowSources in the table for
   * each block.
   */
  ROW_COUNT = 9,
  BLOCK_COUNT = 10,
  BLOCK_LIST = 11,
  SOURCE_LIST = 12,
  /**
   * Block sparse S = J M^-1 J^T of these rows: its table (layout.ts), where incidences are nodes on
   * the paths of a block to the ground, leaves first; its blocks Y; factor, pivots, scratch of a
   * solve; LoopBlocks and their scratch.
   */
  SPARSE_TABLE = 13,
  Y = 14,
  SPARSE_FACTOR = 15,
  SPARSE_PIVOTS = 16,
  SPARSE_SCRATCH = 17,
  LOOP_BLOCKS = 18,
  LOOP_SCRATCH = 19,
  /**
   * Wrenches of rows on nodes during the inward pass: WRENCH_SLOTS for each node, two rows
   * side by side.
   */
  WRENCHES = 20,
  WRENCH_SLOTS = 21,
  /** Scratch: one vector of rows, one of six values for each body, one of velocities. */
  ROW_SCRATCH = 22,
  BODY_SCRATCH = 23,
  VELOCITY_SCRATCH = 24,
  /** 1 if a solve with the last factor of the rows is exact up to rounding. */
  EXACT = 25,
  /**
   * Forces that kernels evaluate: parts as bodyForces takes them, 0 without any; functions of
   * formulas and of users in the module's table, first and number: those that write constants of
   * laws, then those that add loads; addresses of the values of laws: their list, count.
   */
  FORCE_PARTS = 26,
  FIRST_FUNCTION = 27,
  LAW_COUNT = 28,
  LOAD_COUNT = 29,
  VALUE_LIST = 30,
  VALUE_COUNT = 31,
  /** Bodies that forces read or act on: offset of their list in the table, LoadedBody; count. */
  LOADED_LIST = 32,
  LOADED_COUNT = 33,
  /**
   * Addresses for laws that depend on time, 0 without any: time of the stage, which kernels write
   * and which is NaN after a function has failed; begin of the step; times of stages from 0 to 1.
   */
  TIME = 34,
  BEGIN = 35,
  STAGE_TIMES = 36,
  LENGTH = 37,
}

/** Settings of treeRowStages, which evaluates stages with rows; f64 values. */
export enum StageSetting {
  /** Arguments of treeRowFactor. */
  RANK = 0,
  MU = 1,
  TOLERANCE = 2,
  /** Argument of treeAccelerate. */
  CORRECTIONS = 3,
  /** Tolerances of phi and phi': not less than PART times the largest position or velocity. */
  OPEN = 4,
  PART = 5,
  OPEN_RATE = 6,
  /** 1 if states whose rows are open are moved onto the constraints; else they end the call. */
  CLOSES = 7,
  /** Written by kernels: 1 if the positions of the last state needed no correction. */
  CLOSED = 8,
  /** Written by kernels: number of states that were factored again at a corrected pose. */
  REFACTORED = 9,
  LENGTH = 10,
}

/** Settings of treeRowSteps for the work between steps; f64 values. */
export enum StepSetting {
  /** 1 if the compliance of a step is computed from the speeds of the bodies at its beginning. */
  CIRCULAR_REASON = 0,
  /** Arguments of treeCompliance: reference length for speeds, and the rule. */
  REACH = 1,
  PER_TURN = 2,
  LEAST = 3,
  MOST = 4,
  /** Angles that are unwrapped from step to step: count, and address of their list. */
  COUNTED = 5,
  COUNTED_LIST = 6,
  /** A state with a value of this magnitude has blown up. */
  BLOWN_UP = 7,
  /** Steps in which a body turns by more are left to methods that predict angles. */
  SLOW_TURN = 8,
  LENGTH = 9,
}

/** A block of rows in the table. */
export enum RowBlock {
  ROWS = 0,
  FIRST_ROW = 1,
  /** Range of its nodes among the incidences of the sparse table. */
  FIRST_INCIDENCE = 2,
  INCIDENCE_COUNT = 3,
  /** Range of its bodies in the list of sources. */
  FIRST_SOURCE = 4,
  SOURCE_COUNT = 5,
  LENGTH = 6,
}

/** A body of a block of rows. */
export enum RowSource {
  NODE = 0,
  BODY = 1,
  /** Slot of the block in the Jacobian of bodies. */
  SLOT = 2,
  LENGTH = 3,
}

/** A body that forces read or act on. */
export enum LoadedBody {
  NODE = 0,
  BODY = 1,
  LENGTH = 2,
}

/** A node in the table. */
export enum NodeEntry {
  KIND = 0,
  PARENT = 1,
  /** Index of its body; -1 for a node without one. */
  BODY = 2,
  /** Index of its first coordinate in q and in v. */
  POSITION = 3,
  VELOCITY = 4,
  /** 1 if TURN is the identity, so the frame of the joint has the axes of the parent. */
  ALIGNED = 5,
  /** Slot in DATA of the AngleData of its coordinate; -1 if there is none. */
  ANGLE = 6,
  LENGTH = 7,
}

/** Constant data of a node. */
export enum NodeConstant {
  /** 3 x 3, column-major: axes of the joint's frame in those of the parent. */
  TURN = 0,
  /** Vector from the parent's point to the joint's, in the axes of the parent. */
  OFFSET = 9,
  /** Advance for one radian: SCREW. */
  PITCH = 12,
  MASS = 13,
  /** Mass times the vector from the node's point to the centre of mass, in the axes of the node. */
  MOMENT = 14,
  /** Inertia about the node's point, in the axes of the node: xx, xy, xz, yy, yz, zz. */
  INERTIA = 17,
  /** 3 x 3, column-major: axes of the body in those of the node. */
  BODY_AXES = 23,
  /** Vector from the node's point to the centre of mass, in the axes of the node. */
  CENTRE = 32,
  /** Rotations TURN and BODY_AXES as Euler parameters. */
  TURN_PARAMETERS = 35,
  BODY_PARAMETERS = 39,
  LENGTH = 43,
}

/** A node at the trial state. */
export enum Node {
  /** 3 x 3, column-major: axes of the node. z is the axis of the joint. */
  ROTATION = 0,
  POINT = 9,
  /** Vector from the parent's point to the node's. */
  ARM = 12,
  OMEGA = 15,
  /** Velocity of its point. */
  VELOCITY = 18,
  /**
   * Angular and linear acceleration for v' = 0 in a frame falling with gravity, so the ground
   * has -g.
   */
  BIAS = 21,
  /** Force and torque about the point that produce this acceleration of the body. */
  INERTIA_FORCE = 27,
  /**
   * Articulated inertia [[A, B], [B^T, C]] about the point: A and C as xx, xy, xz, yy, yz, zz, B by
   * columns.
   */
  A = 33,
  B = 39,
  C = 48,
  /** Force transmitted by the joint if it does not accelerate. */
  FORCE = 54,
  /** Factor used by solves: see tree/factor.ts. */
  FACTOR = 60,
  /** tau - S^T FORCE: up to six values. */
  DRIVE = 87,
  /** Acceleration found by a solve, without the bias. */
  SOLUTION = 93,
  /** Scratch of tree/publish.ts: Euler parameters, point, angular velocity, velocity. */
  PUBLISHED = 99,
  /** Sine and cosine of the angle. */
  TURN = 112,
  LENGTH = 114,
}

/** FACTOR of HINGE, SLIDE and SCREW. */
export enum AxisFactor {
  /** 1 / (S^T IA S) */
  INVERSE = 0,
  /** X^T IA S / (S^T IA S): at the point of the parent. */
  SHARE = 1,
  /** Square root of INVERSE; written only if there are rows. */
  ROOT = 7,
}

/** FACTOR of BALL. */
export enum BallFactor {
  /** A^-1: xx, xy, xz, yy, yz, zz. */
  INVERSE = 0,
  /** B^T A^-1, column-major. */
  GAIN = 6,
  /** L^-1 of A = L L^T: xx, yx, yy, zx, zy, zz. */
  WHITENING = 15,
}

/**
 * FACTOR of FREE: L of [[A, B], [B^T, C]] = L L^T by columns from the diagonal on, with 1 / L_jj on
 * the diagonal.
 */
export enum FreeFactor {
  LENGTH = 21,
}

/** Table of tree/lanes.ts: 32-bit integers. Records hold two instances side by side. */
export enum LaneTable {
  /** Number of nodes including the ground, each a LaneNode after the head of the table. */
  NODE_COUNT = 0,
  /** Addresses: records Node of a pair; records NodeConstant of all pairs, the ground first. */
  NODES = 1,
  CONSTANTS = 2,
  /** Addresses of the trial state of a pair, and of its accepted state. */
  TRIAL = 3,
  ACCEPTED = 4,
  /** Number of instances, and addresses: their states, one after the other; integers of each. */
  INSTANCES = 5,
  STATES = 6,
  /** Steps that each instance is to take, and those that it has taken. */
  WANTED = 7,
  TAKEN = 8,
  LENGTH = 9,
}

/** A node in the table of tree/lanes.ts: a hinge. */
export enum LaneNode {
  PARENT = 0,
  /** As in NodeEntry. */
  ALIGNED = 1,
  /** Index of its angle in q, and of its rate in v. */
  COORDINATE = 2,
  LENGTH = 3,
}
