import type { Locator } from 'playwright-core';

/** Whether an element is in the window, and with nothing before it. */
export const isSeen = (shown: Locator): Promise<boolean> =>
  shown.evaluate((element: never): boolean => {
    const { getBoundingClientRect, contains } = element as {
      getBoundingClientRect: () => { x: number; y: number; width: number; height: number };
      contains: (other: unknown) => boolean;
    };
    const box = getBoundingClientRect.call(element);
    const page = globalThis as unknown as {
      document: { elementFromPoint: (x: number, y: number) => unknown };
    };
    const [x, middle] = [box.x + Math.min(box.width / 2, 40), box.y + box.height / 2];
    return [box.y + 1, middle, box.y + box.height - 1].every((y) =>
      contains.call(element, page.document.elementFromPoint(x, y)),
    );
  });
