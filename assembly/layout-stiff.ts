// The memory layout of implicit methods, compiled by asc (into the stiff module) and by tsc: only
// integers and enums.

/**
 * Table of a sparse matrix and its factor, P A Q = L U, in 32-bit integers. The matrix is a list of
 * entries: row, column, the address of a value and a scale; duplicate entries add up. All fields
 * except sizes and counts are addresses in bytes. See implicit/sparse-lu.ts.
 */
export enum SparseLu {
  /** Rows and columns. */
  SIZE = 0,
  ENTRY_COUNT = 1,
  /** Capacity of L and of U, in values. */
  CAPACITY = 2,
  /** 1 if pivots have been chosen. */
  CHOSEN = 3,
  /** Row, column and address of each entry, as integers. */
  ROWS = 4,
  COLUMNS = 5,
  ADDRESSES = 6,
  /** Scale of each entry, as f64. */
  SCALES = 7,
  /** Original row, and column, of each pivot: integers. */
  ROW_ORDER = 8,
  COLUMN_ORDER = 9,
  /** Entries row by row in pivot order: start of each row; entry and column in that order. */
  ENTRY_START = 10,
  ENTRY_LIST = 11,
  ENTRY_COLUMN = 12,
  /**
   * L without its unit diagonal, and U without its diagonal, row by row: start, columns, values.
   */
  L_START = 13,
  L_COLUMN = 14,
  L_VALUE = 15,
  U_START = 16,
  U_COLUMN = 17,
  U_VALUE = 18,
  /** Reciprocals of the pivots. */
  DIAGONAL = 19,
  /** Work vector. */
  WORK = 20,
  /** Integers, one more than rows or columns: zero except while pivots are chosen. */
  MARKS = 21,
  /** Columns of the matrix: SIZE, unless only its rank is sought. */
  WIDTH = 22,
  /**
   * Pivot choice (implicit/sparse-lu-choose.ts): capacity of each pool in values, and where
   * the free part of either pool begins.
   */
  POOL_CAPACITY = 23,
  ROW_POOL_END = 24,
  COLUMN_POOL_END = 25,
  /** Integer pools: columns of each row, rows of each column; values of the former; scratch. */
  ROW_POOL = 26,
  COLUMN_POOL = 27,
  POOL_VALUES = 28,
  POOL_ORDER = 29,
  /** SparseLine fields of all rows, and of all columns. */
  ROW_LINES = 30,
  COLUMN_LINES = 31,
  /** Columns of one row, as integers. */
  ROW_LIST = 32,
  /** Largest magnitude in each column. */
  COLUMN_LARGEST = 33,
  /** Address of SparseBest. */
  BEST = 34,
  LENGTH = 35,
}

/** The best pivot of a search so far, in slots. */
export enum SparseBest {
  COST = 0,
  STRENGTH = 1,
  ROW = 2,
  COLUMN = 3,
  LENGTH = 4,
}

/** Fields of rows or columns still to be eliminated, each an integer list of length count + 1. */
export enum SparseLine {
  /** Location in its pool: start, length, capacity. */
  START = 0,
  COUNT = 1,
  ROOM = 2,
  /**
   * Links in the list of lines of equal length: next or -1; previous, -2 - length, or -1 if
   * unlinked.
   */
  NEXT = 3,
  BEFORE = 4,
  /** First line of each length. */
  HEAD = 5,
  LENGTH = 6,
}

/**
 * Capacity of a pool: the entries, fill and moved lines; for small matrices the maximum possible.
 */
export function sparsePoolCapacity(entries: i32, capacity: i32): i32 {
  return entries + capacity + (capacity < 65536 ? capacity : 65536) + 64;
}

/** Capacity of L and of U: a full triangle, or room for the fill of bodies in chains and loops. */
export function sparseLuCapacity(size: i32, entries: i32): i32 {
  const full = (size * (size - 1)) / 2;
  const sparse = 48 * size + 4 * entries;
  return full < sparse ? full : sparse;
}

/**
 * Workspace of derivatives of a row between two bodies (derivatives/rows-lever.ts): at the
 * beginning of VELOCITY_SCRATCH, 32-bit integers, followed by RowVectors.
 */
export enum RowPair {
  /** Addresses of the three matrices, and the slots of the row of A and of B in them. */
  RATE = 0,
  BIAS = 1,
  GYRO = 2,
  SLOT_A = 3,
  SLOT_B = 4,
  /** Addresses: BodyFrames, accelerations and MarkerFrames. */
  BODY_A = 5,
  BODY_B = 6,
  ACCELERATION_A = 7,
  ACCELERATION_B = 8,
  A = 9,
  B = 10,
}

/** Vectors of a row between two bodies, in slots of VELOCITY_SCRATCH. */
export enum RowVectors {
  /** The force on B, with two derivatives. */
  FORCE = 6,
  FORCE_RATE = 9,
  FORCE_SECOND = 12,
  /** The moment on B, with two derivatives; then those on A. */
  MOMENT = 15,
  MOMENT_RATE = 18,
  MOMENT_SECOND = 21,
  MOMENT_A = 24,
  /** Rolling (derivatives/rows-velocity.ts): rho u, g and Y, each with its derivative. */
  RADIUS = 33,
  RADIUS_RATE = 36,
  TURN = 39,
  TURN_RATE = 42,
  AXLE = 45,
  AXLE_RATE = 48,
  LENGTH = 51,
}

/**
 * Table of the derivatives along a tree (tree/derivatives), in 32-bit integers. Lists
 * are counted in integers from the beginning of the table.
 */
export enum TreeDerivatives {
  /** Address of the tree's table (layout-tree.ts). */
  TREE = 0,
  /**
   * Addresses: a NodeColumns for each velocity, a NodeDerivative for each node, TREE_SCRATCH
   * numbers.
   */
  COLUMNS = 1,
  RECORDS = 2,
  SCRATCH = 3,
  /** Pairs of bodies whose forces depend on each other: a ForceBlock each. */
  BLOCK_COUNT = 4,
  BLOCK_LIST = 5,
  /** Bodies of rows: a PathSource each. */
  SOURCE_COUNT = 6,
  SOURCE_LIST = 7,
  /** Slots of the Jacobian of the tree. */
  JACOBIAN_SLOTS = 8,
  LENGTH = 9,
}

/** Scratch slots of the derivative kernels: at most a 6 x 18 matrix of pairs. */
export const TREE_SCRATCH: i32 = 216;

/** Motion columns of one velocity of a node, at its point: see tree/derivatives/columns.ts. */
export enum NodeColumns {
  /** S */
  AXIS = 0,
  /** psi' = v_p x S */
  RATE = 6,
  /** S' + psi' */
  TWICE = 12,
  /** psi'' = a_p x S + v_p x psi' */
  SECOND = 18,
  LENGTH = 24,
}

/** A node with all nodes outboard of it, at its point. */
export enum NodeDerivative {
  /** Mass, first moment of mass, and inertia: xx, xy, xz, yy, yz, zz. */
  MASS = 0,
  MOMENT = 1,
  INERTIA = 4,
  /** Spatial acceleration in a frame that falls with gravity. */
  ACCELERATION = 10,
  /** Forces less inertia forces. */
  WRENCH = 16,
  /** Derivatives of WRENCH by displacement and velocity: 6 x 6, column-major. */
  STIFFNESS = 22,
  DAMPING = 58,
  LENGTH = 94,
}

/** A node and its parent in the elimination of a stage (tree/derivatives/stage.ts). */
export enum TreeLink {
  /**
   * Forces on the node by the motion of the parent, each at its point: by displacement and by
   * velocity, 6 x 6, column-major.
   */
  ON_NODE = 0,
  /**
   * Forces on the parent by the motion of the node; and by motions at the point of the
   * parent.
   */
  ON_PARENT = 72,
  ON_PARENT_CARRIED = 144,
  /** From the parent's point to the node's. */
  ARM = 216,
  LENGTH = 220,
}

/**
 * Elimination and solve data of a node: pairs of real and imaginary
 * parts, except TURNED.
 */
export enum StageNode {
  /** F, 6 x 18, column-major. */
  ANSWER = 0,
  /** G, g, L and z: 18 each. */
  COLUMN = 216,
  GIVEN = 252,
  ROW = 288,
  MOTION = 324,
  /** h and phi. */
  HANDED = 360,
  FORCE = 372,
  /** S x* f: six values. */
  TURNED = 384,
  /** 1 / D and t. */
  INVERSE = 390,
  RESIDUAL = 392,
  LENGTH = 394,
}

/** Forces on one body that depend on another, or on itself. */
export enum ForceBlock {
  ROW_NODE = 0,
  COLUMN_NODE = 1,
  ROW_BODY = 2,
  COLUMN_BODY = 3,
  /** Last common node of the paths from the ground to both bodies; 0 for the ground. */
  MEETING = 4,
  /** Slot of the block in the matrices of bodies. */
  SLOT = 5,
  /**
   * List of slots in the matrices of the tree, one for each pair of nodes: see
   * tree/derivatives/blocks.ts.
   */
  PLACES = 6,
  LENGTH = 7,
}

/** A body that a block of rows touches. */
export enum PathSource {
  NODE = 0,
  BODY = 1,
  ROWS = 2,
  /** Slot of its rows in the Jacobian of bodies: six values per row. */
  SLOT = 3,
  /** The node at which its path ends, itself excluded; 0 for the ground. */
  END = 4,
  /** Length of a row of the block in the Jacobian of the tree. */
  WIDTH = 5,
  /** List of slots in that Jacobian, one for each node of the path. */
  PLACES = 6,
  LENGTH = 7,
}

/** Pattern of the pairs of bodies with a block in a matrix: 32-bit integers (second-blocks.ts). */
export enum BlockPattern {
  BODIES = 0,
  /**
   * Start of the blocks of each body's rows, and the end of the last; then columns in rising order.
   */
  STARTS = 1,
}
