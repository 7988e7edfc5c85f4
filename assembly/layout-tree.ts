// The memory layout of relative coordinates: a tree of nodes. Like layout-bodies.ts it is compiled
// by asc (into the bodies module) and by tsc: only integers and enums.
//
// A node is a frame that moves against the frame of its parent in the way its kind says. Most nodes
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
//   BALL                  4, 3   Euler parameters against the frame of the joint; angular
//                                velocity in the axes of the node
//   FREE                  7, 6   point and Euler parameters; velocity in the world, angular
//                                velocity in the axes of the node. Its parent is the ground.
//   FIXED                 0, 0

/** How a node moves against its parent. */
export enum NodeKind {
  HINGE = 0,
  SLIDE = 1,
  SCREW = 2,
  BALL = 3,
  FREE = 4,
  FIXED = 5,
}

/** What a pass outwards writes: bits. */
export enum TreePart {
  /** ROTATION, POINT and ARM. */
  POSES = 1,
  /** OMEGA, VELOCITY, BIAS and INERTIA_FORCE. */
  RATES = 2,
  /**
   * A, B and C of each body by itself, where a factorisation begins; with RATES also FORCE,
   * INERTIA_FORCE at first.
   */
  INERTIA = 4,
  /**
   * Together with the three: what accelerations need and no more, so neither POINT nor VELOCITY nor
   * INERTIA_FORCE.
   */
  LEAN = 8,
}

/** Head of the tree's table of 32-bit integers. */
export enum TreeTable {
  /** Nodes with the ground. */
  NODE_COUNT = 0,
  /**
   * Where the list of nodes begins in the table, counted in integers: one NodeEntry each, that of
   * the ground unused.
   */
  NODE_LIST = 1,
  /** Addresses of records: NodeConstant and Node, one for each node, the ground first. */
  CONSTANTS = 2,
  NODES = 3,
  /** Addresses of the trial q and v. */
  POSITIONS = 4,
  VELOCITIES = 5,
  /** Numbers in q and v. */
  POSITION_COUNT = 6,
  VELOCITY_COUNT = 7,
  /** The table of the bodies (layout-bodies.ts), whose frames and loads are those of the nodes. */
  BODY_TABLE = 8,
  /**
   * Rows that remain: how many, and in how many blocks; a RowBlock and RowSources in the table for
   * each.
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
   * Forces of rows on nodes while they are carried inwards: WRENCH_SLOTS for each node, two rows
   * side by side.
   */
  WRENCHES = 20,
  WRENCH_SLOTS = 21,
  /** Scratch: one vector of rows, one of six numbers for each body, one of velocities. */
  ROW_SCRATCH = 22,
  BODY_SCRATCH = 23,
  VELOCITY_SCRATCH = 24,
  /** 1 if a solve with the last factor of the rows leaves nothing but rounding. */
  EXACT = 25,
  LENGTH = 26,
}

/** How stages with rows are evaluated, by treeRowStages: numbers. */
export enum StageSetting {
  /** As of treeRowFactor. */
  RANK = 0,
  MU = 1,
  TOLERANCE = 2,
  /** As of treeAccelerate. */
  CORRECTIONS = 3,
  /** Phi may be open by OPEN, or by PART of the largest position where that is more; phi'. */
  OPEN = 4,
  PART = 5,
  OPEN_RATE = 6,
  LENGTH = 7,
}

/** What happens between steps, by treeRowSteps: numbers. */
export enum StepSetting {
  /** 1 if the compliance of a step follows from how fast bodies move where it begins. */
  FOLLOWS = 0,
  /** See treeCompliance: a length that speeds are compared with, and the rule. */
  REACH = 1,
  PER_TURN = 2,
  LEAST = 3,
  MOST = 4,
  /** Angles that are counted from step to step: how many, and the address of their list. */
  COUNTED = 5,
  COUNTED_LIST = 6,
  /** A state with a number of this size has blown up. */
  BLOWN_UP = 7,
  /** Steps in which a body turns by more are for those who predict angles. */
  SLOW_TURN = 8,
  LENGTH = 9,
}

/** A block of rows in the table. */
export enum RowBlock {
  ROWS = 0,
  FIRST_ROW = 1,
  /** Its nodes among the incidences of the sparse table. */
  FIRST_INCIDENCE = 2,
  INCIDENCE_COUNT = 3,
  /** Its bodies in the list of sources. */
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

/** A node in the table. */
export enum NodeEntry {
  KIND = 0,
  PARENT = 1,
  /** Number of its body; -1 for a node without one. */
  BODY = 2,
  /** Its first numbers in q and v. */
  POSITION = 3,
  VELOCITY = 4,
  /** 1 if TURN is the identity: the frame of the joint has the axes of the parent. */
  ALIGNED = 5,
  /** Slot in DATA of the AngleData whose angle its coordinate is; -1 if there is none. */
  ANGLE = 6,
  LENGTH = 7,
}

/** What does not change of a node. */
export enum NodeConstant {
  /** 3 x 3 by columns: axes of the joint's frame in those of the parent. */
  TURN = 0,
  /** From the parent's point to the joint's, in the axes of the parent. */
  OFFSET = 9,
  /** Advance for one radian: SCREW. */
  PITCH = 12,
  MASS = 13,
  /** Mass times the vector from the node's point to the centre of mass, in the axes of the node. */
  MOMENT = 14,
  /** About the node's point, in the axes of the node: xx, xy, xz, yy, yz, zz. */
  INERTIA = 17,
  /** 3 x 3 by columns: axes of the body in those of the node. */
  BODY_AXES = 23,
  /** From the node's point to the centre of mass, in the axes of the node. */
  CENTRE = 32,
  /** The same turns as Euler parameters: of the joint's frame, and of the body. */
  TURN_PARAMETERS = 35,
  BODY_PARAMETERS = 39,
  LENGTH = 43,
}

/** A node at the trial state. */
export enum Node {
  /** 3 x 3 by columns: axes of the node. z is the axis of the joint. */
  ROTATION = 0,
  POINT = 9,
  /** From the parent's point. */
  ARM = 12,
  OMEGA = 15,
  /** Of its point. */
  VELOCITY = 18,
  /**
   * Angular and linear acceleration for v' = 0; in a frame that falls with gravity, so the ground
   * has -g.
   */
  BIAS = 21,
  /** Force and torque about the point that accelerate the body so. */
  INERTIA_FORCE = 27,
  /**
   * Articulated inertia [[A, B], [B^T, C]] about the point: A and C as xx, xy, xz, yy, yz, zz, B by
   * columns.
   */
  A = 33,
  B = 39,
  C = 48,
  /** Force that acts in the joint if it does not accelerate. */
  FORCE = 54,
  /** What a solve needs: see tree/factor.ts. */
  FACTOR = 60,
  /** tau - S^T FORCE: up to six numbers. */
  DRIVE = 87,
  /** Acceleration of a solve, without the bias. */
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
  /** The root of INVERSE, where there are rows. */
  ROOT = 7,
}

/** FACTOR of BALL. */
export enum BallFactor {
  /** A^-1: xx, xy, xz, yy, yz, zz. */
  INVERSE = 0,
  /** B^T A^-1, by columns. */
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
