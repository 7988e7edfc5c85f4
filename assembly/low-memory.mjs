// Lets the compiler's optimiser write the constant part of an address into loads and stores. It may only where an
// address cannot wrap around, which it knows if nothing lies in the first kilobyte; asc tells it so unless a module
// says where its data begin, as those that share a memory with others must. Ours begin further up, too (asconfig.json),
// and so does the arena. Without this nearly every access adds two integers first: modules are an eighth larger.

import binaryen from "binaryen";

export default class LowMemory {
  afterCompile() {
    binaryen.setLowMemoryUnused(true);
  }
}
