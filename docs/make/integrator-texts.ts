// Texts that the registries of integrators lack: formula, use and cost in words. A new integrator needs a text; the
// code does not compile without it.

import type { integrators } from "nodrift";
import type { adaptiveIntegrators } from "nodrift/solve";

export interface IntegratorText {
  readonly title: string;
  /** Lines of the formula. */
  readonly formula: readonly string[];
  /** Consequences of the formula, and its limits. */
  readonly theory: string;
  readonly use: string;
  readonly price: string;
}

export const FIXED: Readonly<Record<keyof typeof integrators, IntegratorText>> = {
  euler: {
    title: "Euler",
    formula: ["y1 = y0 + h f(t0, y0)"],
    theory:
      "The initial slope is used for the full step. A motion that decays at the rate r stays bounded only for h r <= 2; an undamped oscillation gains energy in every step of any length.",
    use: "To study first-order methods, and to reproduce tables that use it.",
    price:
      "One evaluation in a step. Halving the error takes twice the steps; for more than a few digits `rk4` costs less.",
  },
  semiImplicitEuler: {
    title: "semi-implicit (symplectic) Euler",
    formula: ["v1 = v0 + h a(t0, q0, v0)", "q1 = q0 + h T(q0) v1"],
    theory:
      "Positions move with the new velocity. If forces have a potential, the map is symplectic: energy oscillates about its value instead of growing. An oscillation of circular frequency w is stable for h w < 2. Errors are still O(h).",
    use: "Long runs of oscillations if the phase does not matter, as in game engines.",
    price: "One evaluation in a step, as `euler`.",
  },
  heun: {
    title: "Heun",
    formula: ["k1 = f(t0, y0),   k2 = f(t0 + h, y0 + h k1)", "y1 = y0 + h (k1 + k2) / 2"],
    theory:
      "The trapezium rule with a predicted end. Order 2; bounded for h r <= 2 on a decay. On an undamped oscillation the amplitude grows by (h w)^4 / 8 a step.",
    use: "Low accuracy, and forces that jump where a step ends.",
    price: "Two evaluations in a step.",
  },
  midpoint: {
    title: "explicit midpoint rule",
    formula: ["k1 = f(t0, y0)", "y1 = y0 + h f(t0 + h/2, y0 + h/2 k1)"],
    theory:
      "The slope at the midpoint equals that of the chord up to O(h^2). The stability is that of `heun`; errors differ by a constant factor.",
    use: "As `heun`; it evaluates nothing at the end of a step, where a force may jump.",
    price: "Two evaluations in a step.",
  },
  rk4: {
    title: "the classical method of Runge and Kutta",
    formula: [
      "k1 = f(t0, y0)",
      "k2 = f(t0 + h/2, y0 + h/2 k1)",
      "k3 = f(t0 + h/2, y0 + h/2 k2)",
      "k4 = f(t0 + h, y0 + h k3)",
      "y1 = y0 + h (k1 + 2 k2 + 2 k3 + k4) / 6",
    ],
    theory:
      "Simpson's rule with successive stages. Order 4 with four evaluations, whereas order 5 needs more than five. Bounded for h r <= 2.785 on a decay and for h w <= 2.828 on an oscillation, which it damps by (h w)^6 / 144 a step.",
    use: "The default for fixed steps: real time, games, controllers, and tables of papers.",
    price: "Four evaluations in a step. Halving the step divides the error by sixteen.",
  },
  ab3: {
    title: "Adams and Bashforth, three steps",
    formula: ["y1 = y0 + h (23 f0 - 16 f(-1) + 5 f(-2)) / 12"],
    theory:
      "The parabola through the last three slopes is integrated over the next step. Order 3. Bounded for h r <= 6/11 only. It stores slopes: after a jump of the forces, a change of the step size or an event it restarts with a one-step method.",
    use: "Smooth motion with expensive forces, and steps well below the stability limit; Yoon's example.",
    price: "One evaluation in a step: the cheapest step of order 3.",
  },
};

export const ADAPTIVE: Readonly<Record<keyof typeof adaptiveIntegrators, IntegratorText>> = {
  bs3: {
    title: "Bogacki and Shampine, 3(2)",
    formula: [
      "k1 = f(y0),   k2 = f(y0 + h/2 k1),   k3 = f(y0 + 3/4 h k2)",
      "y1 = y0 + h (2 k1 + 3 k2 + 4 k3) / 9,   k4 = f(y1)",
      "error = h (-5/72 k1 + 1/12 k2 + 1/9 k3 - 1/8 k4)",
    ],
    theory:
      "The result of order 3 is continued; the embedded one of order 2 yields the estimate. The last slope is the first of the next step.",
    use: "Tolerances above 1e-4, and forces with kinks, for which a high order does not help.",
    price: "Three evaluations in a step.",
  },
  dp5: {
    title: "Dormand and Prince, 5(4)",
    formula: [
      "y1 = y0 + h (35/384 k1 + 500/1113 k3 + 125/192 k4 - 2187/6784 k5 + 11/84 k6)",
      "error = h (71/57600 k1 - 71/16695 k3 + 71/1920 k4 - 17253/339200 k5 + 22/525 k6 - 1/40 k7)",
    ],
    theory:
      "Order 5 is continued, order 4 estimates. The coefficients make the error of the continued one small. The seventh slope is the first of the next step.",
    use: "Tolerances of 1e-2 and more, for which `solve` chooses it; forces that are not smooth.",
    price: "Six evaluations in a step; dense output of order 4 needs no more.",
  },
  tsit5: {
    title: "Tsitouras, 5(4)",
    formula: ["y1 = y0 + h sum b_i k_i,   error = h sum (b_i - b^_i) k_i,   seven stages"],
    theory:
      "As `dp5`, with coefficients that were found without the usual simplification of the conditions of order: the leading error is smaller.",
    use: "As `dp5`; tolerances of 1e-3 to 1e-6.",
    price: "Six evaluations in a step.",
  },
  dop853: {
    title: "Dormand and Prince, 8(5, 3)",
    formula: [
      "y1 = y0 + h sum b_i k_i,   twelve stages",
      "error = h |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2)",
    ],
    theory:
      "Order 8. Two estimates, of orders 5 and 3, are combined, which keeps the estimate from vanishing by chance. Dense output of order 7 takes three more evaluations, in steps with output.",
    use: "The default of `solve` for smooth motion below 1e-2, down to rounding.",
    price: "Twelve evaluations in a step, which is long.",
  },
  adams: {
    title: "Adams, of variable order and step",
    formula: [
      "predict: y1 = y0 + integral of the polynomial through the last k slopes",
      "correct: add the slope of the predicted state, one order more",
    ],
    theory:
      "Predict, evaluate, correct, evaluate (PECE), with divided differences for uneven steps. Order and step follow the error. It stores slopes and restarts at order 1 after each event.",
    use: "Smooth motion with expensive forces, without many events.",
    price: "Two evaluations in a step, whatever the order.",
  },
  "sdirk4-15": {
    title: "singly diagonally implicit, gamma = 4/15",
    formula: [
      "k_i = f(y0 + h sum_(j<i) a_ij k_j + h gamma k_i),   gamma = 4/15",
      "y1 = y0 + h sum b_i k_i,   the last stage is the end of the step",
    ],
    theory:
      "Five stages, one after the other, all with the same matrix I - h gamma df/dy: one factor serves the full step and often many. L-stable: infinitely fast components vanish in one step. Stage order 1: on very stiff motion errors may be of lower order than 4.",
    use: "Stiff motion, tolerances of 1e-2 to 1e-6.",
    price:
      "Per step five small Newton iterations with one factor; df/dy is kept while the iterations converge.",
  },
  rodas: {
    title: "Rosenbrock, order 4",
    formula: [
      "(I - h gamma J) k_i = f(y0 + h sum a_ij k_j) + J h sum c_ij k_j + h gamma_i df/dt",
      "y1 = y0 + h sum b_i k_i,   six stages",
    ],
    theory:
      "One Newton step in each stage, built into the conditions of order: nothing is iterated and nothing fails to converge. It needs df/dy at every step, and its accuracy depends on it. L-stable, stiffly accurate.",
    use: "Stiff motion at tolerances above 1e-5; forces that are not smooth, on which iterations fail.",
    price: "Per step one df/dy, one factor, six evaluations and six solves.",
  },
  ros3: {
    title: "Rosenbrock, order 3, two evaluations",
    formula: [
      "(I - h gamma J) k_i = f(stage i) + J h sum c_ij k_j + h gamma_i df/dt,   gamma = 0.4358665...",
      "y1 = y0 + h sum b_i k_i,   three stages, of which two share an evaluation",
    ],
    theory:
      "As `rodas`, with order 3. L-stable. The work of a step is constant, without iterations.",
    use: "Stiff motion in real time, with fixed steps.",
    price:
      "Per step one df/dy, one factor, two evaluations and three solves: the same in every step.",
  },
  radau5: {
    title: "Radau IIA, three stages",
    formula: [
      "Y_i = y0 + h sum_j a_ij f(Y_j),   c = (4 - sqrt 6)/10, (4 + sqrt 6)/10, 1",
      "y1 = Y_3",
    ],
    theory:
      "Collocation at three points, the last of them the end of the step. Order 5, stage order 3, L-stable, stiffly accurate: it keeps order 5 on positions even with multipliers among the unknowns. The three stages are one system of three times the size; a change of basis splits it into a real and a complex one.",
    use: "Stiff smooth motion at tolerances from 1e-4 down, for which `solve` switches to it automatically.",
    price:
      "Per step one to seven iterations of three evaluations, with a real and a complex factor that are reused while iterations converge.",
  },
  bdf: {
    title: "backward differentiation, of variable order and step",
    formula: [
      "P: the polynomial through the last k + 1 states, at the end of the step",
      "P' + alpha_k / h (y1 - P) = f(y1),   alpha_k = 1 + 1/2 + ... + 1/k,   k <= 5",
      "error = c |y1 - P|,   c = 1 / (k + 1) for fixed steps",
    ],
    theory:
      "BDF in the fixed-leading-coefficient form: the factor depends on h and the order alone, not on the steps before. A-stable up to order 2, stiffly stable up to 5: from order 3 on fast oscillations without damping may grow, and the order falls if they appear. It stores states and restarts at order 1 after each event.",
    use: "Large stiff systems, whose factorisations cost most, without many events.",
    price:
      "Per step one to four iterations of one evaluation and one solve; df/dy and a real factor serve many steps.",
  },
};
