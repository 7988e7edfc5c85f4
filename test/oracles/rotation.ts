/** w~, with w~ v = w x v; column-major. */
export function crossMatrix([x, y, z]: ArrayLike<number> & Iterable<number>): Float64Array {
  return Float64Array.of(0, z, -y, -z, 0, x, y, -x, 0);
}

/** Euler parameters of a rotation by an angle about a unit axis. */
export function aboutAxis(axis: readonly number[], angle: number): Float64Array {
  return Float64Array.of(Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2)));
}

/** The matrix of a rotation by an angle about a unit axis: Rodrigues' formula, column-major. */
export function rodrigues(axis: readonly number[], angle: number): Float64Array {
  const cross = crossMatrix(Float64Array.from(axis));
  return Float64Array.from({ length: 9 }, (_, at) => {
    const [i, j] = [at % 3, Math.floor(at / 3)];
    const straight = i === j ? Math.cos(angle) : 0;
    return straight + Math.sin(angle) * cross[at] + (1 - Math.cos(angle)) * axis[i] * axis[j];
  });
}

/** Hamilton's product. */
export function product(p: ArrayLike<number>, q: ArrayLike<number>): number[] {
  return [
    p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
    p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
    p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
  ];
}

/** exp(theta / 2): the rotation by |theta| about theta. */
export function exponential(theta: ArrayLike<number>): number[] {
  const size = Math.hypot(theta[0], theta[1], theta[2]);
  const factor = size === 0 ? 0.5 : Math.sin(size / 2) / size;
  return [Math.cos(size / 2), factor * theta[0], factor * theta[1], factor * theta[2]];
}

/** R(e), column-major, from the images e x e^* of the axes. */
export function rotationOf(e: ArrayLike<number>): number[] {
  const conjugate = [e[0], -e[1], -e[2], -e[3]];
  return [0, 1, 2].flatMap((axis) => {
    const unit = [0, 0, 0, 0];
    unit[axis + 1] = 1;
    return product(product(e, unit), conjugate).slice(1);
  });
}
