// The part of OpenAPI 3.1 that the document uses, so that its maker and its reader agree.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type Schema = {
  $ref?: string
  description?: string
  type?: string
  const?: Json
  enum?: Json[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  default?: Json
  items?: Schema
  contains?: Schema
  not?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  propertyNames?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

export type Reference = { $ref: string }
export type Header = { description: string; required?: boolean; schema: Schema }
export type Example = { summary: string; value: Json }
export type Media = { schema: Schema; examples?: Record<string, Example> }
type Content = { 'application/json': Media }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example?: Json
}

export type Link = {
  operationId: string
  description: string
  parameters?: Record<string, string>
}

export type Response = {
  description: string
  headers: Record<string, Header | Reference>
  content: Content
  links?: Record<string, Link>
}

export type OperationObject = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, Response>
}

export type OpenApiDocument = {
  openapi: '3.1.1'
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, OperationObject>>
  components: {
    securitySchemes: Record<string, Record<string, string>>
    headers: Record<string, Header>
    responses: Record<string, Response>
    schemas: Record<string, Schema>
  }
}
