// Shared parts of gallery models: planar links, and geometry for closing loops.

import type { BodyEntry, TypedEntry } from "nodrift/files";

export type Point = readonly [x: number, z: number];

/** Hinge axis of planar models, which lie in the plane of x (right) and z (up). */
export const AXIS = [0, 1, 0] as const;

export const GRAVITY = [0, 0, -9.81] as const;

/** Returns a point of the plane in space. */
export const at = ([x, z]: Point, y = 0) => [x, y, z] as const;

/** Returns a slender link between two points. */
export function link(name: string, a: Point, b: Point, mass: number, y = 0): BodyEntry {
  const [dx, dz] = [b[0] - a[0], b[1] - a[1]];
  return {
    name,
    mass,
    shape: { type: "rod", length: Math.hypot(dx, dz), axis: [1, 0, 0] },
    position: at([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], y),
    orientation: { axis: AXIS, angle: -Math.atan2(dz, dx) },
  };
}

/** Returns a plate with its mass lumped at the corners, a good approximation for a link with three pins. */
export function plate(name: string, corners: readonly Point[], mass: number): BodyEntry {
  const mean = (axis: 0 | 1) =>
    corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  const centre: Point = [mean(0), mean(1)];
  const share = mass / corners.length;
  const sum = (square: (x: number, z: number) => number) =>
    corners.reduce((all, [x, z]) => all + share * square(x - centre[0], z - centre[1]), 0);
  const [xx, zz, xz] = [sum((_, z) => z * z), sum((x) => x * x), sum((x, z) => -x * z)];
  // Some thickness: collinear corners would have no inertia about their line.
  const least = 1e-3 * (xx + zz);
  return {
    name,
    mass,
    inertia: [xx + least, 0, xz, 0, xx + zz + least, 0, xz, 0, zz + least],
    position: at(centre),
  };
}

export function pin(name: string, between: readonly [string, string], point: Point): TypedEntry {
  return { type: "revolute", name, between, at: at(point), axis: AXIS };
}

/**
 * Returns the point at distance a from A and b from B, to the left of the line from A to B if `side` is 1: at
 * (d^2 + a^2 - b^2) / 2 d along the line, and across it by Pythagoras.
 */
export function meet(A: Point, a: number, B: Point, b: number, side: 1 | -1): Point {
  const [dx, dz] = [B[0] - A[0], B[1] - A[1]];
  const d = Math.hypot(dx, dz);
  const along = (d * d + a * a - b * b) / (2 * d);
  const across = side * Math.sqrt(a * a - along * along);
  return [A[0] + (along * dx - across * dz) / d, A[1] + (along * dz + across * dx) / d];
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
