// eslint-plugin-lit-a11y for oxlint. The plugin adds properties to `parserServices`, which oxlint freezes.
import litA11y from 'eslint-plugin-lit-a11y';

// The named export lacks most of the rules.
// oxlint-disable-next-line import/no-named-as-default-member
const { rules } = litA11y;

export default {
  meta: { name: 'lit-a11y' },
  rules: Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, withParserServices(rule)]),
  ),
};

function withParserServices(rule) {
  const create = (context) => {
    const parserServices = { value: {} };
    const sourceCode = { value: Object.create(context.sourceCode, { parserServices }) };
    return rule.create(Object.create(context, { sourceCode }));
  };
  return { ...rule, create };
}
