import { CELL_LAWS } from "./cells.ts";
import { ENCODING_LAWS } from "./encodings.ts";
import { FILE_LAWS } from "./files.ts";
import { ROW_LAWS } from "./rows.ts";
import { hold } from "../base/hold.ts";

hold({
  files: FILE_LAWS,
  encodings: ENCODING_LAWS,
  rows: ROW_LAWS,
  cells: CELL_LAWS,
});
