// The Spanish texts of the offers step, including the contact request. The keys stand in the order of the English catalog.

import type { enOffers } from './en-offers.ts';

export const esOffers = {
  'offers.checking.text': 'Le estamos pidiendo una decisión al prestamista.',
  'offers.pending.title': 'Usted precalifica, pero todavía no hay ofertas',
  'offers.pending.text':
    'El prestamista todavía no ha hecho ninguna oferta. Esta página volverá a consultar automáticamente mientras esté abierta. También puede volver en este navegador dentro de las {hours} horas posteriores al inicio de su solicitud.',
  'offers.pending.text.page-only':
    'El prestamista todavía no ha hecho ninguna oferta. Esta página volverá a consultar automáticamente mientras esté abierta.',
  'offers.waiting.title': 'Su solicitud va en camino al prestamista',
  'offers.waiting.text':
    'El prestamista puede hacer ofertas cuando tenga su solicitud. Esta página volverá a consultar automáticamente.',
  'offers.since': 'Consultando desde: {time}',
  'offers.checked': 'Última consulta: {time}',
  'offers.stopped':
    'Dejamos de consultar después de 30 minutos. Puede consultar ahora o volver más tarde.',
  'offers.meanwhile': 'Mientras espera, puede volver atrás y agregar documentos.',
  'offers.title.one': 'Usted tiene 1 oferta',
  'offers.title.many': 'Usted tiene {count} ofertas',
  'offers.text.one':
    'Es una estimación. Las condiciones finales están en el contrato del prestamista.',
  'offers.text.many':
    'Son estimaciones. Las condiciones finales están en el contrato del prestamista.',
  'offers.explained':
    'La tasa de porcentaje anual (APR, por sus siglas en inglés) es el costo del préstamo durante un año, expresado como porcentaje.',
  'offers.bars':
    'Cada barra muestra el capital, los intereses y los cargos (en su cifra más alta), todas en la misma escala. Cuanto más larga es la barra, más paga usted en total.',
  'offers.not-qualified.title': 'No hay ofertas en este momento',
  'offers.not-qualified.text':
    'El prestamista revisó su solicitud y no puede hacerle una oferta en este momento.',
  'offers.not-qualified.contact':
    '¿Tiene preguntas? {contact}. Tenga a la mano su número de referencia.',
  'offers.unavailable.title': 'No podemos mostrar sus ofertas en este momento',
  'offers.unavailable.text':
    'El sistema del prestamista no responde. No se ha perdido nada de lo que envió. Esta página volverá a consultar automáticamente.',
  'offers.number': 'Oferta {number}: {product}',
  'offers.number.plain': 'Oferta {number}',
  'offers.amount': 'Monto',
  'offers.apr': 'Rango estimado de APR',
  'offers.missing': 'El prestamista no lo indicó',
  'offers.from': 'Desde {figure} (el prestamista no indicó la cifra más alta)',
  'offers.up-to': 'Hasta {figure} (el prestamista no indicó la cifra más baja)',
  'offers.reversed': '{figure} (el rango parece invertido; consulte con el prestamista)',
  'offers.unclear': '{figure} (consulte esta cifra con el prestamista)',
  'offers.payment': 'Pago estimado',
  'offers.payment.monthly': 'unos {amount} al mes (calculado por nosotros)',
  'offers.term': 'Plazo estimado',
  'offers.term.one': '1 mes',
  'offers.term.many': '{count} meses',
  'offers.fees': 'Cargos',
  'offers.interest': 'Total de intereses',
  'offers.total': 'Capital más intereses',
  'offers.total.note': 'sin cargos',
  'offers.monthly-rate': 'Tasa mensual',
  'offers.cents': 'Costo por dólar',
  'offers.bar': 'Desglose del costo',
  'offers.bar.label': 'Capital {principal}, intereses {interest}, cargos {fees}',
  'offers.bar.incomplete': 'Sin barra de costo: el prestamista omitió algunas cifras.',
  'offers.bar.contradictory': 'Sin barra de costo: las cifras del prestamista no cuadran.',
  'offers.disclosures': 'Divulgaciones',
  'offers.frequency.daily': 'cada día hábil',
  'offers.frequency.weekly': 'cada semana',
  'offers.frequency.biweekly': 'cada dos semanas',
  'offers.frequency.semimonthly': 'dos veces al mes',
  'offers.frequency.monthly': 'cada mes',
  'offers.frequency.missing': '(el prestamista no indicó cada cuánto)',
  'offers.compare': 'Comparar en tabla',
  'offers.table': 'Sus ofertas, una al lado de la otra',
  'offers.order': 'Ordenar por',
  'offers.order.arrival': 'Orden de llegada',
  'offers.order.apr': 'APR más alta del rango, de menor a mayor',
  'offers.order.total': 'Capital más intereses, de menor a mayor',
  'offers.order.payment': 'Pago mensual, de menor a mayor',
  'offers.order.announce': 'Ordenadas por: {order}.',
  'offers.order.incomplete':
    'Ofertas al final de la lista porque esta cifra falta o no es clara: {count}.',
  'offers.choose': 'Elegir esta oferta',
  'offers.choose.link': 'Continuar con esta oferta',
  'offers.chosen': 'Usted eligió esta oferta. Todavía puede elegir otra.',
  'offers.chosen.link': 'Para aceptarla, continúe en el sitio del prestamista.',
  'offers.chosen.next':
    'Todavía no la ha aceptado. Para aceptarla, comuníquese con el prestamista e indique su número de referencia, {reference}.',
  'offers.chosen.contact':
    'Todavía no la ha aceptado. Para aceptarla, comuníquese con {contact}. Tenga a la mano su número de referencia, {reference}.',
  'contact.title': '¿Quiere que el prestamista vuelva a comunicarse con usted?',
  'contact.text':
    'Si le pidió al prestamista que no se comunicara con usted, puede cambiarlo aquí.',
  'contact.button': 'Permitir el contacto',
  'contact.sending': 'Enviando…',
  'contact.received':
    'Recibimos su petición y se la estamos enviando al prestamista. No necesita pedirlo otra vez.',
  'contact.enabled': 'El prestamista puede volver a comunicarse con usted sobre esta solicitud.',
  'contact.consent.required': 'Marque la casilla para permitir el contacto',
} as const satisfies Record<keyof typeof enOffers, string>;
