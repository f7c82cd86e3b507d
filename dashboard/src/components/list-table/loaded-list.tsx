import {
  type ComponentType,
  lazy,
  type LazyExoticComponent,
  type ReactNode,
  Suspense,
} from "react";
import { ErrorState } from "../error-state.tsx";
import { Loading } from "../loading.tsx";
import { useUnknownFilters } from "../unknown-filters/unknown-filters.tsx";

/**
 * The component of a list, which is requested at once, while the server looks for its rows. `lazy`
 * alone would request it only after the rows have arrived.
 */
export function lazyList<Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  const loading = load();
  // A failure is reported when the list renders.
  loading.catch(() => undefined);
  return lazy(() => loading.catch(load));
}

/**
 * A list with the error of its last load above it. The list stays, and with it the filters, so that
 * a reader can correct a filter that the server refused. Unknown filters of the address are
 * removed.
 */
export function LoadedList({
  found: { data, error, refetch },
  children,
}: {
  readonly found: {
    readonly data: unknown;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** The list, which may be a lazy component. */
  readonly children: ReactNode;
}) {
  const { isRemoving, notice } = useUnknownFilters({ data, error });
  const shown = isRemoving ? null : error;
  return (
    <>
      {notice}
      {shown ? <ErrorState error={shown} reset={() => void refetch()} /> : null}
      {data !== undefined || shown ? (
        <Suspense fallback={<Loading lines={8} />}>{children}</Suspense>
      ) : (
        <Loading lines={8} />
      )}
    </>
  );
}
