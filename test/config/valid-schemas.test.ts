import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { TSchema } from 'typebox';
import { clientSchema } from '../../libs/config/client.ts';
import { configSchema } from '../../libs/config/schema.ts';
import { settingsDefinitions } from '../../libs/settings/definitions.ts';
import { documentedRows } from '../../services/api/openapi/rows.ts';
import { catalog } from '../../services/connectors/catalog.ts';
import { tables } from '../api/openapi/support.ts';

describe('the schemas of inputs', () => {
  it('every schema of a request, a destination type and a setting is valid', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const schemas: [string, object | undefined][] = [
      ['the configuration', configSchema],
      ['the client settings', clientSchema],
      ...catalog.map(({ type, settings }): [string, TSchema] => [type, settings]),
      ...settingsDefinitions.map(({ kind, schema }): [string, TSchema] => [kind, schema]),
      ...documentedRows(tables).flatMap(({ method, path, query, body }): [string, TSchema | undefined][] => [
        [`query of ${method} ${path}`, query],
        [`body of ${method} ${path}`, body],
      ]),
    ];
    const present = schemas.filter(([, schema]) => schema !== undefined);
    expect(present.length).to.be.greaterThan(80);
    const faults = present.flatMap(([name, schema]) =>
      ajv.validateSchema(schema ?? {}) ? [] : [`${name}: ${ajv.errorsText()}`],
    );
    expect(faults).to.deep.equal([]);
  });
});
