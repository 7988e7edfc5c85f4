// Entry point `nodrift/batch`: many instances of one compiled model, advanced together.

export { Batch, type BatchFailure, type BatchOptions, batch } from "./batch.js";
