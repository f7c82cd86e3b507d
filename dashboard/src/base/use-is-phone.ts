import { useMediaQuery } from "@mantine/hooks";

/** Returns whether the window is as narrow as a phone, as the style sheets understand it. */
export const useIsPhone = (): boolean =>
  useMediaQuery("(max-width: 45.99em)", undefined, { getInitialValueInEffect: false });
