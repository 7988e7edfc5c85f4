/** Index and search options, shared by the build and the page. */
export const SEARCH_OPTIONS = {
  idField: "address",
  fields: ["heading", "page", "text"],
  storeFields: ["address", "heading", "page"],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15 },
};
