// A status carries its code and the index of the culprit in one integer, so that a kernel can
// report which row failed without writing anywhere.

import { STATUS_BITS, Status } from "../layout";

/** The status of a failure (or note) at an index. */
// @ts-ignore: decorator
@inline
export function statusAt(code: Status, index: i32): i32 {
  return (code as i32) | (index << STATUS_BITS);
}

/** True when the result of a kernel must not be used. */
// @ts-ignore: decorator
@inline
export function failed(status: i32): bool {
  return (status & ((1 << STATUS_BITS) - 1)) > (Status.DEFICIENT as i32);
}

/** The code of a status. */
// @ts-ignore: decorator
@inline
export function statusCode(status: i32): i32 {
  return status & ((1 << STATUS_BITS) - 1);
}

/** The status with its index shifted by an offset. */
// @ts-ignore: decorator
@inline
export function shiftIndex(status: i32, offset: i32): i32 {
  return status == Status.OK ? status : status + (offset << STATUS_BITS);
}
