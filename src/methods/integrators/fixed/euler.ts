import type { Tableau } from "./tableau.js";

export const eulerTableau: Tableau = {
  name: "euler",
  reference: "Euler, Institutionum calculi integralis (1768)",
  order: 1,
  a: [[]],
  b: [1],
  c: [0],
};
