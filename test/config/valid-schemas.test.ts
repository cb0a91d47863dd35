import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { TSchema } from 'typebox';
import { clientSchema } from '../../libs/config/client.ts';
import { configSchema } from '../../libs/config/schema.ts';
import { settingsDefinitions } from '../../libs/settings/definitions.ts';
import { createValidator } from '../../libs/validation/validator.ts';
import { documentedRows } from '../../services/api/openapi/rows.ts';
import { catalog } from '../../services/connectors/catalog.ts';
import { tables } from '../api/openapi/support.ts';

const all: [string, TSchema | undefined][] = [
  ['the configuration', configSchema],
  ['the client settings', clientSchema],
  ...catalog.map(({ type, settings }): [string, TSchema] => [type, settings]),
  ...settingsDefinitions.map(({ kind, schema }): [string, TSchema] => [kind, schema]),
  ...documentedRows(tables).flatMap(({ method, path, query, body }): [string, TSchema | undefined][] => [
    [`query of ${method} ${path}`, query],
    [`body of ${method} ${path}`, body],
  ]),
];
const schemas = all.filter((pair): pair is [string, TSchema] => pair[1] !== undefined);

describe('the schemas of inputs', () => {
  it('every schema of a request, a destination type and a setting is valid', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    expect(schemas.length).to.be.greaterThan(80);
    const faults = schemas.flatMap(([name, schema]) =>
      ajv.validateSchema(schema) ? [] : [`${name}: ${ajv.errorsText()}`],
    );
    expect(faults).to.deep.equal([]);
  });

  // A program compiles a schema when it first meets an input.
  it('every schema of a request, a destination type and a setting can be compiled', () => {
    for (const [name, schema] of schemas)
      for (const options of [{}, { weak: true }, { weak: true, defaults: true }])
        expect(() => createValidator(schema, options)({}), name).not.to.throw();
  });
});
