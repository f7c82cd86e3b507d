import { inLanguage } from "../../base/language.ts";

/** Texts of saved views. */
const en = {
  views: "Views",
  title: "Saved views",
  saveFirst: "Save a view",
  edit: "Save or change views",
  own: "Rename or delete views",
  noFilters: "Set filters first. A view saves the current filters.",
  privateFiltersOnly: "Filters that identify a beneficiary cannot be saved in a view.",
  notStored: (filters: readonly string[]) =>
    `Filters that identify a beneficiary will not be saved in the view: ${filters.join(", ")}.`,
  save: "Save view",
  name: "View name",
  nameHint: "The view saves the current filters. Only you can see it.",
  rename: "Rename",
  renameOf: (name: string) => `Rename view ${name}`,
  delete: "Delete",
  deleteOf: (name: string) => `Delete view ${name}`,
  nameOf: (name: string) => `New name for view ${name}`,
};

export const messages = inLanguage({ en });
