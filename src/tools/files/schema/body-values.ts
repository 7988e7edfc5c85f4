// Orientations and inertia, which can be given in several ways.

import * as v from "valibot";
import {
  amount,
  amounts,
  exactly,
  has,
  isObject,
  oneOf,
  place,
  record,
  type Schema,
  word,
  wrong,
} from "./values.js";

const quaternion = amounts(4);
const matrixColumns = amounts(9);
const matrixRows = exactly(place, 3, "3 rows of 3 numbers");
const turn = record({ axis: place, angle: amount });
const noTurn = wrong(
  '{ "axis": [x, y, z], "angle": a }, a quaternion [w, x, y, z], 3 rows of 3 numbers, or 9 numbers by columns',
);

/** An axis and an angle, Euler parameters, or a matrix. */
export const orientation: Schema = oneOf([turn, quaternion, matrixColumns, matrixRows], (input) => {
  if (isObject(input)) return turn;
  if (!Array.isArray(input)) return noTurn;
  if (Array.isArray(input[0])) return matrixRows;
  if (input.length === 9) return matrixColumns;
  return input.length === 4 ? quaternion : noTurn;
});

const TENSOR = "3 moments, 3 rows of 3 numbers, or 9 numbers by columns";
const noTensor = wrong(TENSOR);

/** Moments, or a whole tensor by columns or rows. */
const tensor: Schema = oneOf([place, matrixColumns, matrixRows], (input) => {
  if (!Array.isArray(input)) return noTensor;
  if (Array.isArray(input[0])) return matrixRows;
  if (input.length === 9) return matrixColumns;
  return input.length === 3 ? place : noTensor;
});
const about = v.optional(word(["centre", "origin"]));
const principal = record({ principal: place, axes: v.optional(orientation), about });
const whole = record({ tensor, about });
const noInertia = wrong(`${TENSOR}; or { "principal": [...] } or { "tensor": [...] }`);

export const inertia: Schema = oneOf([tensor, principal, whole], (input) => {
  if (Array.isArray(input)) return tensor;
  if (!isObject(input)) return noInertia;
  return has(input, "tensor") ? whole : principal;
});
