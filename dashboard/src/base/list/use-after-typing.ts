import { useDebouncedValue } from "@mantine/hooks";

const PAUSE_MS = 200;

/** Returns the typed value once the reader pauses, so that not every key asks the server. */
export const useAfterTyping = <Value>(typed: Value): Value => useDebouncedValue(typed, PAUSE_MS)[0];
