import { isIP } from "node:net";

/** Returns whether the text is an IP address or a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = "", prefix = "0", ...more] = text.trim().split("/");
  return isIP(address) > 0 && /^\d{1,3}$/.test(prefix) && more.length === 0;
}
