import { checkStatus } from "nodrift/kernels";
import {
  distance,
  multiply,
  norm,
  relativeDistance,
  transpose,
} from "../../test/support/matrix.js";
import { randomMatrix, randomVector } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";

/** A triangle with a dominant diagonal, and NaN in entries that must not be read. */
export function triangleOf(n: number, full: Float64Array, upper: boolean): Float64Array {
  return full.map((value, at) => {
    const i = at % n;
    const j = (at - i) / n;
    if (i === j) return value < 0 ? value - 2 : value + 2;
    return i < j === upper ? value / n : Number.NaN;
  });
}

export const productCases: readonly KernelCase[] = [
  {
    name: "Matrix products",
    kernels: ["matrixProduct", "matrixTransposeProduct", "matrixProductTranspose", "gram"],
    factorisation: false,
    run(random, n) {
      const m = n + 2;
      const k = n + 1;
      const left = randomMatrix(random, m, k);
      const right = randomMatrix(random, k, n);
      const { kernels, a, at, b, bt, c, d, e, s } = scratch({
        a: left,
        at: transpose(m, k, left),
        b: right,
        bt: transpose(k, n, right),
        c: m * n,
        d: m * n,
        e: m * n,
        s: n * n,
      });
      checkStatus(
        "matrixProduct",
        kernels.matrixProduct(m, k, n, a.address, m, b.address, k, c.address, m),
      );
      checkStatus(
        "matrixTransposeProduct",
        kernels.matrixTransposeProduct(m, k, n, at.address, k, b.address, k, d.address, m),
      );
      checkStatus(
        "matrixProductTranspose",
        kernels.matrixProductTranspose(m, k, n, a.address, m, bt.address, n, e.address, m),
      );
      checkStatus("gram", kernels.gram(k, n, b.address, k, s.address, n));
      const product = multiply(m, k, n, left, right);
      const square = multiply(n, k, n, bt.view, right);
      return {
        error: Math.max(
          ...[c, d, e].map(({ view }) => relativeDistance(view, product)),
          relativeDistance(s.view, square),
        ),
        results: [c.view, d.view, e.view, s.view],
      };
    },
  },
  {
    name: "Products with vectors",
    kernels: ["matrixVector", "matrixTransposeVector", "dot", "axpy"],
    factorisation: false,
    run(random, n) {
      const m = n + 3;
      const { kernels, a, x, y, ax, ay, sum } = scratch({
        a: randomMatrix(random, m, n),
        x: randomVector(random, n),
        y: randomVector(random, m),
        ax: m,
        ay: n,
        sum: m,
      });
      checkStatus("matrixVector", kernels.matrixVector(m, n, a.address, m, x.address, ax.address));
      const back = kernels.matrixTransposeVector(m, n, a.address, m, y.address, ay.address);
      checkStatus("matrixTransposeVector", back);
      checkStatus("axpy", kernels.axpy(m, 0.3, y.address, ax.address, sum.address));
      const value = kernels.dot(m, ax.address, y.address);
      const other = kernels.dot(n, x.address, ay.address);
      return {
        error: Math.max(
          relativeDistance(ax.view, multiply(m, n, 1, a.view, x.view)),
          relativeDistance(ay.view, multiply(n, m, 1, transpose(m, n, a.view), y.view)),
          relativeDistance(
            sum.view,
            ax.view.map((v, i) => v + 0.3 * y.view[i]),
          ),
          // y . A x = A^T y . x
          Math.abs(value - other) / (norm(ax.view) * norm(y.view) + norm(x.view) * norm(ay.view)),
        ),
        results: [ax.view, ay.view, sum.view, Float64Array.of(value, other)],
      };
    },
  },
  {
    name: "Stages and errors of a step",
    kernels: ["combine", "errorMaximum", "errorNorm"],
    factorisation: false,
    run(random, n) {
      const count = 4;
      const { kernels, y, slopes, weights, out } = scratch({
        y: randomVector(random, n),
        slopes: randomVector(random, n * count),
        weights: randomVector(random, count),
        out: n,
      });
      const h = 0.125;
      const status = kernels.combine(
        n,
        count,
        h,
        y.address,
        slopes.address,
        weights.address,
        out.address,
      );
      checkStatus("combine", status);
      const sum = multiply(n, count, 1, slopes.view, weights.view);
      const expected = y.view.map((value, i) => value + h * sum[i]);
      const size = kernels.errorNorm(n, 1e-3, 1e-2, slopes.address, y.address, out.address);
      const most = kernels.errorMaximum(n, 1e-3, 1e-2, slopes.address, y.address, out.address);
      let square = 0;
      let worst = 0;
      for (let i = 0; i < n; i++) {
        const scale = 1e-3 + 1e-2 * Math.max(Math.abs(y.view[i]), Math.abs(out.view[i]));
        square += (slopes.view[i] / scale) ** 2 / n;
        worst = Math.max(worst, Math.abs(slopes.view[i] / scale));
      }
      return {
        error: Math.max(
          distance(out.view, expected) / (norm(y.view) + h * norm(sum)),
          relativeDistance([size, most], [Math.sqrt(square), worst]),
        ),
        results: [out.view, Float64Array.of(size)],
      };
    },
  },
  {
    name: "Triangular solves",
    kernels: ["triangularSolve"],
    factorisation: false,
    run(random, n) {
      const count = 2;
      const full = randomMatrix(random, n);
      const { kernels, t, b, x } = scratch({
        t: n * n,
        b: randomMatrix(random, n, count),
        x: n * count,
      });
      let error = 0;
      const results: Float64Array[] = [];
      for (let choice = 0; choice < 8; choice++) {
        const [upper, transposed, unit] = [choice & 1, (choice >> 1) & 1, choice >> 2];
        t.view.set(triangleOf(n, full, upper === 1));
        const status = kernels.triangularSolve(
          n,
          count,
          t.address,
          n,
          upper,
          transposed,
          unit,
          b.address,
          n,
          x.address,
          n,
        );
        checkStatus("triangularSolve", status);
        const clean = t.view.map((value, at) =>
          unit === 1 && at % (n + 1) === 0 ? 1 : Number.isNaN(value) ? 0 : value,
        );
        const operator = transposed === 1 ? transpose(n, n, clean) : clean;
        error = Math.max(error, relativeDistance(multiply(n, n, count, operator, x.view), b.view));
        results.push(x.view.slice());
      }
      return { error, results };
    },
  },
];
