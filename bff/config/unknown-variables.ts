// Finds environment variables that the BFF does not know, but that were probably meant for it.

import { findNearName } from './near-name.ts';
import { describeVariable, isVariableName, type VariableName, variableNames } from './variables.ts';

export interface UnknownVariable {
  readonly name: string;
  /** Continues the name, with the fix. */
  readonly problem: string;
  /** The variable that was meant, without `_FILE`. */
  readonly meant: VariableName | undefined;
}

/** All variables with this prefix are the BFF's. Others can belong to another program in the same environment. */
const ownPrefix = 'FUNDING_';
const fileSuffix = '_FILE';
/** Kubernetes sets these for each service of the namespace, also for one that is named `funding`. */
const kubernetesName = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT(?:_\d+_\w+)?$/;

const secretNames = variableNames.filter((name) => describeVariable(name).isSecret);
const knownNames: readonly string[] = [
  ...variableNames,
  ...secretNames.map((name) => `${name}${fileSuffix}`),
];

/**
 * A name outside of the BFF's prefix is reported only if the variable that it resembles is not set: a process can have a variable
 * `SESSION_KEY` for something else.
 */
export function findUnknownVariables(
  variables: Readonly<Record<string, string | undefined>>,
): readonly UnknownVariable[] {
  return Object.keys(variables).flatMap((name) => {
    const isEmpty = (variables[name] ?? '').trim() === '';
    return isEmpty || knownNames.includes(name) ? [] : (findProblem(name, variables) ?? []);
  });
}

function findProblem(
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
): UnknownVariable | undefined {
  const bare = removeFileSuffix(name);
  if (isVariableName(bare)) {
    const problem = `is not a variable of the BFF, because ${bare} is not a secret. Set ${bare} itself.`;
    return { name, problem, meant: bare };
  }
  const near = findNearName(name, knownNames);
  const meant = near === undefined ? undefined : removeFileSuffix(near);
  const isUnset = meant !== undefined && !variables[meant] && !variables[`${meant}${fileSuffix}`];
  if (near !== undefined && isUnset && isVariableName(meant)) {
    return { name, problem: `is not a variable of the BFF. Did you mean ${near}?`, meant };
  }
  if (!name.startsWith(ownPrefix) || kubernetesName.test(name)) return undefined;
  const problem = 'is not a variable of the BFF. Remove it, or correct its name.';
  return { name, problem, meant: undefined };
}

function removeFileSuffix(name: string): string {
  return name.endsWith(fileSuffix) ? name.slice(0, -fileSuffix.length) : name;
}
