// Every problem by its name: one line each.

import { chain } from "./chain.mjs";
import { doublePendulum } from "./double-pendulum.mjs";
import { nFourBar } from "./n-four-bar.mjs";

/** @type {Readonly<Record<string, () => import("./problem.mjs").Problem>>} */
export const problems = {
  "double-pendulum": doublePendulum,
  "chain-3": () => chain(3),
  "chain-10": () => chain(10),
  "chain-30": () => chain(30),
  "chain-100": () => chain(100),
  "chain-300": () => chain(300),
  "four-bar-2": () => nFourBar(2),
  "four-bar-40": () => nFourBar(40),
};
