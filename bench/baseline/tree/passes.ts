// The three passes over a tree of hinges. One file, and offsets that are constants of it: V8 folds those into the code,
// while members of an enum, or constants of another file, cost a tenth of the time. Written out, since small functions
// of vectors would be allocated or not inlined. Sums go through memory: with 27 of them in variables, so that nothing is
// loaded twice, it takes a sixth longer, since there are not as many registers.

import { constantsOf, type HingedBody, type Tree } from "./tables.js";

// Constants of a body, as `constantsOf` lays them out.
const OF_ARM = 9;
const OF_INERTIA = 12;
const OF_MOMENT = 18;
const OF_MASS = 21;
const OF_LENGTH = 22;

// The record of a body, all in the world's axes: first R by rows, whose z is the axis of the hinge; then w.
const W = 9;
/** Bias of the angular acceleration, that is without q''. */
const ALPHA = 12;
/** [alpha] + [w][w] by rows. */
const E = 15;
/** Bias of the hinge's acceleration, less gravity. */
const A = 24;
/** From the parent's hinge to this. */
const ARM = 27;
/** Articulated inertia [A, B; B^T, C]: A and C as xx, xy, xz, yy, yz, zz, B by rows; rigid at first. */
const IA = 30;
const IB = 36;
const IC = 45;
/** Bias force: moment, force. */
const N = 51;
const F = 54;
/** U = IA S: about, along; then u and 1 / D. */
const U = 57;
const FREE = 63;
const INVERSE = 64;
/** Contribution of q'' of this node and its ancestors to the accelerations, angular and linear. */
const ZA = 65;
const ZL = 68;
/** Length of a record. Not exported, because exported constants are not folded. */
const LENGTH = 72;

/** A tree with memory for its passes. The ground has no rotation, and accelerates against gravity. */
export function treeOf(bodies: readonly HingedBody[], gravity: readonly number[]): Tree {
  const work = new Float64Array(LENGTH * (bodies.length + 1));
  for (let i = 0; i < 3; i++) {
    work[4 * i] = 1;
    work[A + i] = -gravity[i];
  }
  const above = Int32Array.from(bodies, ({ parent }) => LENGTH * (parent + 1));
  return { above, constants: constantsOf(bodies), work };
}

/**
 * From the ground to the leaves: poses, velocities, accelerations without q'', and with those
 *
 *   N = (I alpha + w x I w + h x a,  m a + E h),   E = [alpha] + [w][w],   h = m c,   I about the hinge.
 */
export function outward({ above, constants, work }: Tree, q: Float64Array, v: Float64Array): void {
  const n = above.length;
  for (let i = 0; i < n; i++) {
    const k = OF_LENGTH * i;
    const p = above[i];
    const o = LENGTH * (i + 1);
    const p00 = work[p],
      p01 = work[p + 1],
      p02 = work[p + 2];
    const p10 = work[p + 3],
      p11 = work[p + 4],
      p12 = work[p + 5];
    const p20 = work[p + 6],
      p21 = work[p + 7],
      p22 = work[p + 8];

    // R = R_parent T Rz(q), and the arm.
    const angle = q[i];
    const s = Math.sin(angle),
      c = Math.cos(angle);
    let tx = constants[k],
      ty = constants[k + 3],
      tz = constants[k + 6];
    const a0 = p00 * tx + p01 * ty + p02 * tz;
    const a1 = p10 * tx + p11 * ty + p12 * tz;
    const a2 = p20 * tx + p21 * ty + p22 * tz;
    tx = constants[k + 1];
    ty = constants[k + 4];
    tz = constants[k + 7];
    const b0 = p00 * tx + p01 * ty + p02 * tz;
    const b1 = p10 * tx + p11 * ty + p12 * tz;
    const b2 = p20 * tx + p21 * ty + p22 * tz;
    tx = constants[k + 2];
    ty = constants[k + 5];
    tz = constants[k + 8];
    const r02 = p00 * tx + p01 * ty + p02 * tz;
    const r12 = p10 * tx + p11 * ty + p12 * tz;
    const r22 = p20 * tx + p21 * ty + p22 * tz;
    const r00 = c * a0 + s * b0,
      r01 = c * b0 - s * a0;
    const r10 = c * a1 + s * b1,
      r11 = c * b1 - s * a1;
    const r20 = c * a2 + s * b2,
      r21 = c * b2 - s * a2;
    tx = constants[k + OF_ARM];
    ty = constants[k + OF_ARM + 1];
    tz = constants[k + OF_ARM + 2];
    const dx = p00 * tx + p01 * ty + p02 * tz;
    const dy = p10 * tx + p11 * ty + p12 * tz;
    const dz = p20 * tx + p21 * ty + p22 * tz;
    work[o] = r00;
    work[o + 1] = r01;
    work[o + 2] = r02;
    work[o + 3] = r10;
    work[o + 4] = r11;
    work[o + 5] = r12;
    work[o + 6] = r20;
    work[o + 7] = r21;
    work[o + 8] = r22;
    work[o + ARM] = dx;
    work[o + ARM + 1] = dy;
    work[o + ARM + 2] = dz;

    // Velocities and biases of accelerations.
    const rate = v[i];
    const jx = r02 * rate,
      jy = r12 * rate,
      jz = r22 * rate;
    const vx = work[p + W],
      vy = work[p + W + 1],
      vz = work[p + W + 2];
    const wx = vx + jx,
      wy = vy + jy,
      wz = vz + jz;
    const ux = work[p + ALPHA] + vy * jz - vz * jy;
    const uy = work[p + ALPHA + 1] + vz * jx - vx * jz;
    const uz = work[p + ALPHA + 2] + vx * jy - vy * jx;
    const e = p + E;
    const ax = work[p + A] + work[e] * dx + work[e + 1] * dy + work[e + 2] * dz;
    const ay = work[p + A + 1] + work[e + 3] * dx + work[e + 4] * dy + work[e + 5] * dz;
    const az = work[p + A + 2] + work[e + 6] * dx + work[e + 7] * dy + work[e + 8] * dz;
    const xx = wx * wx,
      yy = wy * wy,
      zz = wz * wz;
    const xy = wx * wy,
      xz = wx * wz,
      yz = wy * wz;
    const e00 = -(yy + zz),
      e01 = xy - uz,
      e02 = xz + uy;
    const e10 = xy + uz,
      e11 = -(xx + zz),
      e12 = yz - ux;
    const e20 = xz - uy,
      e21 = yz + ux,
      e22 = -(xx + yy);
    work[o + W] = wx;
    work[o + W + 1] = wy;
    work[o + W + 2] = wz;
    work[o + ALPHA] = ux;
    work[o + ALPHA + 1] = uy;
    work[o + ALPHA + 2] = uz;
    work[o + E] = e00;
    work[o + E + 1] = e01;
    work[o + E + 2] = e02;
    work[o + E + 3] = e10;
    work[o + E + 4] = e11;
    work[o + E + 5] = e12;
    work[o + E + 6] = e20;
    work[o + E + 7] = e21;
    work[o + E + 8] = e22;
    work[o + A] = ax;
    work[o + A + 1] = ay;
    work[o + A + 2] = az;

    // h and I in the world: the columns of R I, then R I R^T.
    tx = constants[k + OF_MOMENT];
    ty = constants[k + OF_MOMENT + 1];
    tz = constants[k + OF_MOMENT + 2];
    const hx = r00 * tx + r01 * ty + r02 * tz;
    const hy = r10 * tx + r11 * ty + r12 * tz;
    const hz = r20 * tx + r21 * ty + r22 * tz;
    const ixx = constants[k + OF_INERTIA],
      ixy = constants[k + OF_INERTIA + 1];
    const ixz = constants[k + OF_INERTIA + 2],
      iyy = constants[k + OF_INERTIA + 3];
    const iyz = constants[k + OF_INERTIA + 4],
      izz = constants[k + OF_INERTIA + 5];
    let f0 = r00 * ixx + r01 * ixy + r02 * ixz;
    let f1 = r00 * ixy + r01 * iyy + r02 * iyz;
    let f2 = r00 * ixz + r01 * iyz + r02 * izz;
    const m00 = f0 * r00 + f1 * r01 + f2 * r02;
    const m01 = f0 * r10 + f1 * r11 + f2 * r12;
    const m02 = f0 * r20 + f1 * r21 + f2 * r22;
    f0 = r10 * ixx + r11 * ixy + r12 * ixz;
    f1 = r10 * ixy + r11 * iyy + r12 * iyz;
    f2 = r10 * ixz + r11 * iyz + r12 * izz;
    const m11 = f0 * r10 + f1 * r11 + f2 * r12;
    const m12 = f0 * r20 + f1 * r21 + f2 * r22;
    f0 = r20 * ixx + r21 * ixy + r22 * ixz;
    f1 = r20 * ixy + r21 * iyy + r22 * iyz;
    f2 = r20 * ixz + r21 * iyz + r22 * izz;
    const m22 = f0 * r20 + f1 * r21 + f2 * r22;
    const mass = constants[k + OF_MASS];

    const lx = m00 * wx + m01 * wy + m02 * wz;
    const ly = m01 * wx + m11 * wy + m12 * wz;
    const lz = m02 * wx + m12 * wy + m22 * wz;
    work[o + N] = m00 * ux + m01 * uy + m02 * uz + wy * lz - wz * ly + hy * az - hz * ay;
    work[o + N + 1] = m01 * ux + m11 * uy + m12 * uz + wz * lx - wx * lz + hz * ax - hx * az;
    work[o + N + 2] = m02 * ux + m12 * uy + m22 * uz + wx * ly - wy * lx + hx * ay - hy * ax;
    work[o + F] = mass * ax + e00 * hx + e01 * hy + e02 * hz;
    work[o + F + 1] = mass * ay + e10 * hx + e11 * hy + e12 * hz;
    work[o + F + 2] = mass * az + e20 * hx + e21 * hy + e22 * hz;
    work[o + IA] = m00;
    work[o + IA + 1] = m01;
    work[o + IA + 2] = m02;
    work[o + IA + 3] = m11;
    work[o + IA + 4] = m12;
    work[o + IA + 5] = m22;
    work[o + IB] = 0;
    work[o + IB + 1] = -hz;
    work[o + IB + 2] = hy;
    work[o + IB + 3] = hz;
    work[o + IB + 4] = 0;
    work[o + IB + 5] = -hx;
    work[o + IB + 6] = -hy;
    work[o + IB + 7] = hx;
    work[o + IB + 8] = 0;
    work[o + IC] = mass;
    work[o + IC + 1] = 0;
    work[o + IC + 2] = 0;
    work[o + IC + 3] = mass;
    work[o + IC + 4] = 0;
    work[o + IC + 5] = mass;
  }
}

/**
 * From the leaves to the ground: U = IA S, D = S.U, u = -S.p, and the contribution to the parent,
 *
 *   Ia = IA - U U^T / D,   pa = p + U u / D,
 *
 * moved to its hinge by r: with K = [r] C and H = B + K / 2 that is A - H[r] - (H[r])^T, B + K, C; n + r x f, f.
 */
export function inward({ above, work }: Tree): void {
  for (let i = above.length - 1; i >= 0; i--) {
    const o = LENGTH * (i + 1);
    const p = above[i];
    const x = work[o + 2],
      y = work[o + 5],
      z = work[o + 8];
    const a00 = work[o + IA],
      a01 = work[o + IA + 1],
      a02 = work[o + IA + 2];
    const a11 = work[o + IA + 3],
      a12 = work[o + IA + 4],
      a22 = work[o + IA + 5];
    const b00 = work[o + IB],
      b01 = work[o + IB + 1],
      b02 = work[o + IB + 2];
    const b10 = work[o + IB + 3],
      b11 = work[o + IB + 4],
      b12 = work[o + IB + 5];
    const b20 = work[o + IB + 6],
      b21 = work[o + IB + 7],
      b22 = work[o + IB + 8];
    const u0 = a00 * x + a01 * y + a02 * z;
    const u1 = a01 * x + a11 * y + a12 * z;
    const u2 = a02 * x + a12 * y + a22 * z;
    const u3 = b00 * x + b10 * y + b20 * z;
    const u4 = b01 * x + b11 * y + b21 * z;
    const u5 = b02 * x + b12 * y + b22 * z;
    const inverse = 1 / (x * u0 + y * u1 + z * u2);
    const n0 = work[o + N],
      n1 = work[o + N + 1],
      n2 = work[o + N + 2];
    const free = -(x * n0 + y * n1 + z * n2);
    work[o + U] = u0;
    work[o + U + 1] = u1;
    work[o + U + 2] = u2;
    work[o + U + 3] = u3;
    work[o + U + 4] = u4;
    work[o + U + 5] = u5;
    work[o + FREE] = free;
    work[o + INVERSE] = inverse;
    if (p === 0) continue;

    const d0 = u0 * inverse,
      d1 = u1 * inverse,
      d2 = u2 * inverse;
    const d3 = u3 * inverse,
      d4 = u4 * inverse,
      d5 = u5 * inverse;
    const c00 = work[o + IC] - u3 * d3;
    const c01 = work[o + IC + 1] - u3 * d4;
    const c02 = work[o + IC + 2] - u3 * d5;
    const c11 = work[o + IC + 3] - u4 * d4;
    const c12 = work[o + IC + 4] - u4 * d5;
    const c22 = work[o + IC + 5] - u5 * d5;
    work[p + IC] += c00;
    work[p + IC + 1] += c01;
    work[p + IC + 2] += c02;
    work[p + IC + 3] += c11;
    work[p + IC + 4] += c12;
    work[p + IC + 5] += c22;
    const rx = work[o + ARM],
      ry = work[o + ARM + 1],
      rz = work[o + ARM + 2];

    // Rows of B + K, then of H = B + K / 2; H[r] is each row times r.
    let k0 = ry * c02 - rz * c01,
      k1 = ry * c12 - rz * c11,
      k2 = ry * c22 - rz * c12;
    let s0 = b00 - u0 * d3,
      s1 = b01 - u0 * d4,
      s2 = b02 - u0 * d5;
    work[p + IB] += s0 + k0;
    work[p + IB + 1] += s1 + k1;
    work[p + IB + 2] += s2 + k2;
    s0 += 0.5 * k0;
    s1 += 0.5 * k1;
    s2 += 0.5 * k2;
    const g00 = s1 * rz - s2 * ry,
      g01 = s2 * rx - s0 * rz,
      g02 = s0 * ry - s1 * rx;
    k0 = rz * c00 - rx * c02;
    k1 = rz * c01 - rx * c12;
    k2 = rz * c02 - rx * c22;
    s0 = b10 - u1 * d3;
    s1 = b11 - u1 * d4;
    s2 = b12 - u1 * d5;
    work[p + IB + 3] += s0 + k0;
    work[p + IB + 4] += s1 + k1;
    work[p + IB + 5] += s2 + k2;
    s0 += 0.5 * k0;
    s1 += 0.5 * k1;
    s2 += 0.5 * k2;
    const g10 = s1 * rz - s2 * ry,
      g11 = s2 * rx - s0 * rz,
      g12 = s0 * ry - s1 * rx;
    k0 = rx * c01 - ry * c00;
    k1 = rx * c11 - ry * c01;
    k2 = rx * c12 - ry * c02;
    s0 = b20 - u2 * d3;
    s1 = b21 - u2 * d4;
    s2 = b22 - u2 * d5;
    work[p + IB + 6] += s0 + k0;
    work[p + IB + 7] += s1 + k1;
    work[p + IB + 8] += s2 + k2;
    s0 += 0.5 * k0;
    s1 += 0.5 * k1;
    s2 += 0.5 * k2;
    const g20 = s1 * rz - s2 * ry,
      g21 = s2 * rx - s0 * rz,
      g22 = s0 * ry - s1 * rx;
    work[p + IA] += a00 - u0 * d0 - 2 * g00;
    work[p + IA + 1] += a01 - u0 * d1 - g01 - g10;
    work[p + IA + 2] += a02 - u0 * d2 - g02 - g20;
    work[p + IA + 3] += a11 - u1 * d1 - 2 * g11;
    work[p + IA + 4] += a12 - u1 * d2 - g12 - g21;
    work[p + IA + 5] += a22 - u2 * d2 - 2 * g22;

    const f0 = work[o + F] + d3 * free;
    const f1 = work[o + F + 1] + d4 * free;
    const f2 = work[o + F + 2] + d5 * free;
    work[p + F] += f0;
    work[p + F + 1] += f1;
    work[p + F + 2] += f2;
    work[p + N] += n0 + d0 * free + ry * f2 - rz * f1;
    work[p + N + 1] += n1 + d1 * free + rz * f0 - rx * f2;
    work[p + N + 2] += n2 + d2 * free + rx * f1 - ry * f0;
  }
}

/** From the ground to the leaves: q'' = (u - U.Z) / D, with Z of the parent at this hinge, and Z for the children. */
export function accelerate({ above, work }: Tree, out: Float64Array): void {
  const n = above.length;
  for (let i = 0; i < n; i++) {
    const o = LENGTH * (i + 1);
    const p = above[i];
    const rx = work[o + ARM],
      ry = work[o + ARM + 1],
      rz = work[o + ARM + 2];
    const ax = work[p + ZA],
      ay = work[p + ZA + 1],
      az = work[p + ZA + 2];
    const lx = work[p + ZL] + ay * rz - az * ry;
    const ly = work[p + ZL + 1] + az * rx - ax * rz;
    const lz = work[p + ZL + 2] + ax * ry - ay * rx;
    const about = work[o + U] * ax + work[o + U + 1] * ay + work[o + U + 2] * az;
    const along = work[o + U + 3] * lx + work[o + U + 4] * ly + work[o + U + 5] * lz;
    const a = (work[o + FREE] - about - along) * work[o + INVERSE];
    out[i] = a;
    work[o + ZA] = ax + work[o + 2] * a;
    work[o + ZA + 1] = ay + work[o + 5] * a;
    work[o + ZA + 2] = az + work[o + 8] * a;
    work[o + ZL] = lx;
    work[o + ZL + 1] = ly;
    work[o + ZL + 2] = lz;
  }
}
