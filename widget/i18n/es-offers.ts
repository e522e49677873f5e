// The Spanish sentences of the offers and of contact; in the order of the English ones.

import type { enOffers } from './en-offers.ts';

export const esOffers = {
  'offers.checking.text': 'Le estamos pidiendo una decisión al prestamista.',
  'offers.pending.title': 'Usted califica. Todavía no hay ofertas',
  'offers.pending.text':
    'El prestamista todavía no ha hecho ninguna oferta. Volvemos a consultar automáticamente mientras esta página esté abierta; también puede regresar durante las próximas {hours} horas, en este navegador.',
  'offers.pending.text.page-only':
    'El prestamista todavía no ha hecho ninguna oferta. Volvemos a consultar automáticamente mientras esta página esté abierta.',
  'offers.waiting.title': 'Su solicitud va en camino al prestamista',
  'offers.waiting.text':
    'Puede haber ofertas en cuanto el prestamista la tenga. Volvemos a consultar automáticamente.',
  'offers.since': 'Consultando desde: {time}',
  'offers.checked': 'Última consulta: {time}',
  'offers.stopped':
    'Dejamos de consultar después de 30 minutos. Puede consultar ahora o regresar más tarde.',
  'offers.meanwhile':
    'Mientras tanto puede volver atrás y entregar algo más, por ejemplo documentos. No se pierde nada.',
  'offers.title.one': 'Usted tiene 1 oferta',
  'offers.title.many': 'Usted tiene {count} ofertas',
  'offers.text.one':
    'Es una estimación de preaprobación; lo que vale es el contrato del prestamista.',
  'offers.text.many':
    'Son estimaciones de preaprobación; lo que vale es el contrato del prestamista.',
  'offers.explained':
    'La tasa porcentual anual (APR) es lo que cuesta el préstamo en un año, en porcentaje.',
  'offers.bars':
    'Las barras muestran el capital, los intereses y los cargos (su cifra más alta) de todas las ofertas en una misma escala: cuanto más larga es la barra, más paga usted en total.',
  'offers.not-qualified.title': 'Esta vez no hay oferta',
  'offers.not-qualified.text':
    'El prestamista revisó su solicitud y no puede hacerle una oferta en este momento.',
  'offers.not-qualified.contact': 'Para preguntar: {contact}. Tenga su referencia a la mano.',
  'offers.unavailable.title': 'No podemos ver sus ofertas en este momento',
  'offers.unavailable.text':
    'El sistema del prestamista no responde. Su solicitud está a salvo. Volvemos a consultar automáticamente.',
  'offers.number': 'Oferta {number}: {product}',
  'offers.number.plain': 'Oferta {number}',
  'offers.amount': 'Monto',
  'offers.apr': 'Rango estimado de APR',
  'offers.missing': 'el prestamista no lo indicó',
  'offers.from': 'desde {figure}; el prestamista no indicó la cifra más alta',
  'offers.up-to': 'hasta {figure}; el prestamista no indicó la cifra más baja',
  'offers.reversed': '{figure}; el prestamista dio un rango que va al revés',
  'offers.unclear': 'el prestamista indicó {figure}; pregunte antes de elegir',
  'offers.payment': 'Pago estimado',
  'offers.payment.monthly': 'unos {amount} al mes (monto calculado)',
  'offers.term': 'Plazo estimado',
  'offers.term.one': '1 mes',
  'offers.term.many': '{count} meses',
  'offers.fees': 'Cargos',
  'offers.interest': 'Total de intereses',
  'offers.total': 'Capital más intereses',
  'offers.total.note': 'sin cargos',
  'offers.monthly-rate': 'Tasa mensual',
  'offers.cents': 'Costo por dólar',
  'offers.bar': 'Costo en una misma escala',
  'offers.bar.label': 'Capital {principal}, intereses {interest}, cargos {fees}',
  'offers.bar.incomplete': 'Sin barra: el prestamista no indicó todas las cifras necesarias.',
  'offers.bar.contradictory':
    'Sin barra: el capital y los intereses no suman el total que indicó el prestamista.',
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
  'offers.order.apr': 'APR (cifra más alta), de menor a mayor',
  'offers.order.total': 'Capital más intereses, de menor a mayor',
  'offers.order.payment': 'Pago mensual, de menor a mayor',
  'offers.order.announce': 'Ordenadas por: {order}.',
  'offers.order.incomplete':
    'Al final, en el orden en que llegaron, están las ofertas sin una cifra clara para esto: {count}.',
  'offers.choose': 'Elegir esta oferta',
  'offers.chosen': 'Usted eligió esta oferta. Todavía puede elegir otra.',
  'offers.chosen.next':
    'Para continuar, indíquele al prestamista la oferta que eligió y su referencia, {reference}. {contact}',
  'contact.title': '¿Pidió que no se comunicaran con usted y cambió de opinión?',
  'contact.text':
    'Si se le dijo al prestamista que no se comunicara con usted, aquí puede volver a permitirlo.',
  'contact.button': 'Permitir el contacto',
  'contact.sending': 'Enviando…',
  'contact.received':
    'Lo recibimos y se lo estamos comunicando al prestamista. No necesita pedirlo otra vez.',
  'contact.enabled': 'El prestamista puede volver a comunicarse con usted sobre esta solicitud.',
  'contact.consent.required': 'Marque la casilla para permitir el contacto',
} as const satisfies Record<keyof typeof enOffers, string>;
