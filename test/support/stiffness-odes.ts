// Stiff and non-stiff differential equations, to test the choice of method. Data unless stated otherwise: Hairer,
// Norsett and Wanner, Solving ODEs I, and Hairer and Wanner, Solving ODEs II.

import { vanDerPol } from "nodrift/mechanisms";
import { ode, type PlainOde } from "nodrift/solve";

type Rate = (t: number, y: ArrayLike<number>, out: { [index: number]: number }) => void;

function equation(name: string, y: readonly number[], rate: Rate): PlainOde {
  return ode({ name, names: y.map((_, i) => `y${i}`), y: [...y], rate });
}

/** Robertson's reaction without its derivatives, as most equations are given. */
export function robertsonByDifferences(): PlainOde {
  return equation("Robertson", [1, 0, 0], (_t, y, out) => {
    out[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    out[1] = 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] * y[1];
    out[2] = 3e7 * y[1] * y[1];
  });
}

/** Van der Pol's oscillator in its own time: y'' = mu (1 - y^2) y' - y. */
export function vanDerPolIn(mu: number): PlainOde {
  return equation(`Van der Pol, mu = ${mu}`, [2, 0], (_t, y, out) => {
    out[0] = y[1];
    out[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
  });
}

export function scaledVanDerPol(epsilon: number): PlainOde {
  return vanDerPol({ epsilon });
}

export function oregonator(): PlainOde {
  return equation("Oregonator", [1, 2, 3], (_t, y, out) => {
    out[0] = 77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]));
    out[1] = (y[2] - (1 + y[0]) * y[1]) / 77.27;
    out[2] = 0.161 * (y[0] - y[2]);
  });
}

/** High irradiance responses of photomorphogenesis. */
export function hires(): PlainOde {
  return equation("HIRES", [1, 0, 0, 0, 0, 0, 0, 0.0057], (_t, y, out) => {
    const both = 280 * y[5] * y[7];
    out[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    out[1] = 1.71 * y[0] - 8.75 * y[1];
    out[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    out[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    out[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    out[5] = -both + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    out[6] = both - 1.81 * y[6];
    out[7] = -both + 1.81 * y[6];
  });
}

/** The Brusselator with diffusion along a line, by the method of lines on n points. */
export function brusselator(n: number, alpha = 1 / 50): PlainOde {
  const c = alpha * (n + 1) ** 2;
  const start = Array.from({ length: n }, (_, i) => [
    1 + Math.sin((2 * Math.PI * (i + 1)) / (n + 1)),
    3,
  ]).flat();
  return equation(`Brusselator on ${n} points`, start, (_t, y, out) => {
    for (let i = 0; i < n; i++) {
      const [u, v] = [y[2 * i], y[2 * i + 1]];
      const [uLeft, vLeft] = i === 0 ? [1, 3] : [y[2 * i - 2], y[2 * i - 1]];
      const [uRight, vRight] = i === n - 1 ? [1, 3] : [y[2 * i + 2], y[2 * i + 3]];
      out[2 * i] = 1 + u * u * v - 4 * u + c * (uLeft - 2 * u + uRight);
      out[2 * i + 1] = 3 * u - u * u * v + c * (vLeft - 2 * v + vRight);
    }
  });
}

/** Two large masses and a small one that returns after 17.065216560157964. */
export function arenstorf(): PlainOde {
  const small = 0.012277471;
  const large = 1 - small;
  const start = [0.994, 0, 0, -2.0015851063790824];
  return equation("Arenstorf's orbit", start, (_t, y, out) => {
    const first = ((y[0] + small) ** 2 + y[1] ** 2) ** 1.5;
    const second = ((y[0] - large) ** 2 + y[1] ** 2) ** 1.5;
    out[0] = y[2];
    out[1] = y[3];
    out[2] = y[0] + 2 * y[3] - (large * (y[0] + small)) / first - (small * (y[0] - large)) / second;
    out[3] = y[1] - 2 * y[2] - (large * y[1]) / first - (small * y[1]) / second;
  });
}

export function lotkaVolterra(): PlainOde {
  return equation("Lotka-Volterra", [2, 2], (_t, y, out) => {
    out[0] = y[0] * (y[1] - 2);
    out[1] = y[1] * (1 - y[0]);
  });
}

/** Curtiss and Hirschfelder: y follows cos t. */
export function prothero(rate: number): PlainOde {
  return equation(`y' = -${rate} (y - cos t)`, [0], (t, y, out) => {
    out[0] = -rate * (y[0] - Math.cos(t));
  });
}

/** An oscillator whose damper grips between t = 5 and 10, and then releases: stiff for part of the time. */
export function gripped(): PlainOde {
  return equation("an oscillator that is gripped for a time", [1, 0], (t, y, out) => {
    const grip = 1e5 / (1 + Math.exp(-20 * (t - 5))) / (1 + Math.exp(20 * (t - 10)));
    out[0] = y[1];
    out[1] = -25 * y[0] - grip * (y[1] - Math.cos(t));
  });
}
