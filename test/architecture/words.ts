import { parseSync, Visitor, type BindingPattern } from 'oxc-parser';
import type { Source } from './sources.ts';

/** Prepositions and lone participles: they say how a thing relates to another, and not what it is. */
const POOR = new Set(['of', 'on', 'at', 'how', 'held', 'asked', 'told']);

/** Words that fit everything. A connector and a step of the engine say what they work with; the engine's root has parts. */
const EMPTY = new Set(['tools', 'parts']);
const SPOKEN = /^(?:services\/connectors|libs\/sync\/(?!worker\.ts$))/;

/**
 * One sentence for each variable, parameter or function whose name is such a word. A field that is taken
 * out of an object under its own name does not count: the name is that of the data.
 */
export function findPoorNames(sources: Source[]): string[] {
  return sources.flatMap(({ path, code }) =>
    declaredNames(path, code)
      .filter((name) => POOR.has(name) || (EMPTY.has(name) && SPOKEN.test(path)))
      .map((name) => `${path} has a \`${name}\``),
  );
}

function declaredNames(path: string, code: string): string[] {
  const names: string[] = [];
  const collect = (pattern: BindingPattern | null): void => {
    if (pattern?.type === 'Identifier') names.push(pattern.name);
    else if (pattern?.type === 'AssignmentPattern') collect(pattern.left);
    else if (pattern?.type === 'ArrayPattern')
      for (const element of pattern.elements)
        collect(element?.type === 'RestElement' ? element.argument : element);
    else if (pattern?.type === 'ObjectPattern')
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') collect(property.argument);
        else if (!property.shorthand) collect(property.value);
      }
  };
  const collectFunction = (node: { params: unknown[]; id?: BindingPattern | null }): void => {
    collect(node.id ?? null);
    for (const parameter of node.params as BindingPattern[])
      collect(
        (parameter as { type: string }).type === 'RestElement'
          ? (parameter as unknown as { argument: BindingPattern }).argument
          : parameter,
      );
  };
  new Visitor({
    VariableDeclarator: ({ id }) => collect(id),
    FunctionDeclaration: collectFunction,
    FunctionExpression: collectFunction,
    ArrowFunctionExpression: collectFunction,
  }).visit(parseSync(path, code).program);
  return names;
}
