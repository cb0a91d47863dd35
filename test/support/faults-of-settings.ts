import type { OperatorSettings } from '../../libs/connector/contract.ts';

type Rule<Settings> = (settings: Settings, operator: OperatorSettings) => string[];

/** What the rules of a type find in settings that its schema accepts. */
export function faultsOfSettings<Settings>(
  { settingRules = [] }: { settingRules?: Rule<Settings>[] },
  settings: NoInfer<Settings>,
  operator: OperatorSettings,
): string[] {
  return settingRules.flatMap((rule) => rule(settings, operator));
}
