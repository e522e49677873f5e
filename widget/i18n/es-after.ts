// The Spanish texts of the steps after the submission, except the offers. The keys stand in the order of the English catalog.

import type { enAfter } from './en-after.ts';

export const esAfter = {
  'submitted.accepted.title': 'Enviamos su solicitud al prestamista',
  'submitted.accepted.text':
    'Guarde su número de referencia. Lo necesitará si se comunica con nosotros o con el prestamista.',
  'submitted.received.text':
    'La guardamos y la estamos enviando al prestamista. Suele tardar unos segundos.',
  'submitted.delayed.text':
    'La guardamos, pero el sistema del prestamista todavía no la ha recibido. Lo seguiremos intentando. No necesita enviarla de nuevo.',
  'submitted.confirming.text':
    'La guardamos y estamos confirmando que el prestamista la recibió, lo que puede tardar un poco más. No necesita enviarla de nuevo.',
  'submitted.support': '¿Necesita ayuda ahora? {contact}. Tenga a la mano su número de referencia.',
  'submitted.reference': 'Número de referencia',
  'submitted.received-at': 'Recibida el {time}',
  'submitted.check': 'Consultar de nuevo',
  'submitted.checked': 'Última consulta: {time}',
  'submitted.next.title': 'Qué sigue',
  'submitted.next.received': 'Recibimos su solicitud.',
  'submitted.next.now': 'Ahora, si puede',
  'submitted.next.then': 'Cuando el prestamista haya revisado su solicitud',
  'submitted.next.offers': 'Compare sus ofertas, si recibe alguna.',
  'submitted.not-started': 'Pendiente',
  'submitted.files.one': '1 archivo enviado',
  'submitted.files.many': '{count} archivos enviados',
  'submitted.bank': 'Conectado',
  'submitted.continue': 'Ir a los documentos',
  'submitted.offers': 'Ver mis ofertas',
  'submitted.print': 'Imprimir esta página',
  record: 'Sus respuestas',
  tracking: 'Siga su solicitud en el sitio del prestamista',
  'submitted.page-only':
    'Su solicitud se envió, pero este navegador no conserva nuestras cookies, así que no podrá verla aquí después de cerrar o recargar esta página. Anote su número de referencia.',
  finish: 'Cerrar mi solicitud en este dispositivo',
  'finish.hint':
    '¿Comparte este dispositivo? Quite su solicitud de esta pantalla. Esto no cambia lo que envió.',
  'finish.ending': 'Cerrando…',
  'finish.unsent':
    'Algunos de sus archivos no se han enviado. Envíelos primero, o seleccione “Cerrar mi solicitud en este dispositivo” otra vez para cerrar sin ellos.',
  'finished.title': 'Su solicitud está cerrada en este dispositivo',
  'finished.text':
    'Ya no se guarda ni se muestra aquí nada de su solicitud. Esto no cambia lo que envió. Puede cerrar esta página.',
  'finished.new': 'Comenzar otra solicitud',
  'attachments.waiting':
    'Enviaremos lo que agregue aquí en cuanto el prestamista tenga su solicitud.',
  'documents.why.page-only':
    'Los estados de cuenta bancarios recientes ayudan al prestamista a revisar su solicitud. Puede omitir este paso y volver mientras esta página esté abierta.',
  'documents.drop': 'Suelte los archivos aquí, o',
  'documents.choose': 'Elegir archivos',
  'documents.hint': '{types}. Hasta {count} archivos de {size} cada uno.',
  'documents.hint.total': '{types}. Hasta {count} archivos de {size} cada uno y {total} en total.',
  'documents.camera': 'Tomar una foto',
  'documents.list': 'Sus archivos',
  'documents.unnamed': 'Archivo {number}',
  'documents.category': '¿Qué documento es?',
  'documents.suggested': 'Sugerido según el nombre del archivo',
  'documents.category.required': 'Elija qué tipo de documento es {name}',
  'documents.remove': 'Quitar',
  'documents.cancel': 'Cancelar',
  'documents.retry': 'Reintentar',
  'documents.remove.for': 'Quitar {name}',
  'documents.cancel.for': 'Cancelar el envío de {name}',
  'documents.retry.for': 'Reintentar el envío de {name}',
  'documents.send.one': 'Enviar 1 archivo',
  'documents.send.many': 'Enviar {count} archivos',
  'documents.count': '{sent} de {count} enviados',
  'documents.skip': 'Continuar sin documentos',
  'documents.continue': 'Continuar',
  'documents.skip.text':
    'Sin estados de cuenta bancarios ni conexión bancaria, el prestamista puede tardar más o pedírselos después.',
  'documents.preparing': 'Preparando…',
  'documents.location': 'No pudimos quitar los datos de ubicación de esta foto.',
  'documents.state.queued': 'En espera de subirse',
  'documents.state.checking-later':
    'Todavía no pudimos revisar este archivo. Lo intentaremos de nuevo pronto.',
  'documents.state.offline': 'En espera de conexión',
  'documents.state.finishing': 'Terminando…',
  'documents.state.uploading': 'Subiendo, {percent}%',
  'documents.state.delivered': 'Enviado',
  'documents.state.received': 'Recibido, enviando al prestamista',
  'documents.state.delayed': 'Recibido, pero todavía no enviado al prestamista',
  'documents.state.rejected': 'No aceptado por el prestamista',
  'documents.state.infected': 'Bloqueado por nuestro antivirus',
  'documents.announce.added': '{name}: agregado, todavía sin enviar',
  'documents.announce.repeated': '{name}: ya está en su lista',
  'documents.announce.half': '{name}: 50% subido',
  'documents.announce.received': '{name}: recibido, enviando al prestamista',
  'documents.announce.done': '{name}: enviado',
  'documents.announce.failed': '{name}: no se envió. {reason}',
  'documents.announce.removed': '{name}: quitado de la lista',
  'documents.problem.type': 'No podemos recibir este tipo de archivo. Use {types}.',
  'documents.problem.heic':
    'No podemos recibir fotos HEIC. Guarde la foto como JPG o haga una captura de pantalla, y elija esa.',
  'documents.problem.size': 'Este archivo pesa {actual}. Elija uno de hasta {size}.',
  'documents.problem.empty': 'Este archivo está vacío. Elija otro.',
  'documents.problem.count': 'Puede enviar hasta {count} archivos. Quite uno para hacer espacio.',
  'documents.problem.space':
    'Este archivo no cabe. Puede enviar hasta {total} en total. Elija un archivo más pequeño o quite otro.',
  'documents.problem.canceled': 'Envío cancelado. Este archivo no se envió.',
  'documents.unsent':
    'Tiene archivos que no se han enviado. Envíelos o quítelos, o continúe sin ellos.',
  'checklist.title': 'Los documentos que más ayudan',
  'checklist.done': 'Listo',
  'checklist.open': 'Todavía no',
  'checklist.count': '{found} de {count}',
  'group.bank-statements': 'Estados de cuenta bancarios',
  'group.identity': 'Identidad',
  'group.financials': 'Impuestos y contabilidad',
  'group.ownership': 'Propiedad y registro',
  'group.debt': 'Deudas y gravámenes',
  'group.lender': 'Del prestamista',
  'group.other': 'Otros',
  'bank.demonstration': 'Banco de demostración',
  'bank.demonstration.text':
    'Este no es un banco real. Crea un informe de ejemplo de 90 días para que vea cómo funciona la conexión.',
  'bank.start': 'Conectar un banco',
  'bank.skip': 'Continuar sin conectar',
  'bank.choose': 'Elija su banco',
  'bank.accounts': '¿Qué cuentas quiere compartir?',
  'bank.accounts.required': 'Elija al menos una cuenta',
  'bank.institution.required': 'Elija uno de estos bancos',
  'bank.checking': 'Cuenta de cheques del negocio',
  'bank.savings': 'Cuenta de ahorros del negocio',
  'bank.share.text':
    'El prestamista recibe los nombres y datos de contacto de los titulares, los saldos y los movimientos de los últimos 90 días. El prestamista no puede usar esto para mover dinero.',
  'bank.share': 'Compartir con el prestamista',
  'bank.cancel': 'Ahora no',
  'bank.sending': 'Enviando su informe bancario…',
  'bank.delivered': 'Enviamos su informe bancario al prestamista.',
  'bank.received': 'Recibimos su informe bancario y lo estamos enviando al prestamista.',
  'bank.delayed':
    'Recibimos su informe bancario, pero el sistema del prestamista todavía no lo ha recibido. Lo seguiremos intentando.',
  'bank.rejected':
    'El prestamista no pudo usar su informe bancario. Conecte su banco otra vez o envíe estados de cuenta bancarios.',
  'offers.check': 'Consultar ahora',
  'offers.checking': 'Consultando…',
  'problem.already-sent':
    'Su solicitud ya se envió, así que aquí no puede cambiarla. No se enviará dos veces.',
  'problem.rejected-with-documents':
    'El prestamista no pudo procesar su solicitud. Sus respuestas siguen aquí. Revíselas y envíe la solicitud de nuevo. Después, agregue otra vez sus documentos y su informe bancario.',
  'problem.application-pending':
    'El prestamista todavía no tiene su solicitud. La estamos enviando. Inténtelo de nuevo en un momento.',
  'problem.service-refused':
    'Tenemos problemas con el sistema del prestamista. No se ha perdido nada de lo que envió y no necesita enviarlo de nuevo.',
  'problem.document-name-invalid':
    'No podemos usar el nombre de este archivo. Cámbielo y elija el archivo de nuevo.',
  'problem.document-category-invalid': 'Elija qué tipo de documento es.',
  'problem.document-length-required':
    'Este navegador no pudo enviar el archivo. Pruebe con otro navegador.',
  'problem.document-empty': 'Este archivo está vacío. Elija otro.',
  'problem.document-too-large': 'Este archivo es demasiado grande. Elija uno más pequeño.',
  'problem.document-incomplete': 'El archivo no terminó de subirse. Inténtelo de nuevo.',
  'problem.document-type-refused': 'No podemos recibir este tipo de archivo. Elija otro.',
  'problem.document-type-mismatch':
    'Este archivo no tiene el formato que dice su nombre. Guárdelo de nuevo en el formato correcto y vuelva a elegirlo.',
  'problem.document-damaged':
    'Este archivo está dañado o incompleto. Descárguelo de nuevo. Si eso no ayuda, imprímalo como un PDF nuevo.',
  'problem.document-picture-damaged':
    'Esta imagen está dañada o incompleta. Tome una foto nueva o guarde la imagen de nuevo.',
  'problem.document-password':
    'Este archivo pide una contraseña para abrirse. Guarde una copia sin contraseña y elija esa.',
  'problem.document-attachments':
    'Este archivo tiene otros archivos adjuntos. Expórtelo o imprímalo como PDF sin adjuntos y elija ese.',
  'problem.document-active-content':
    'Este archivo puede iniciar un programa, o cargar o enviar algo por sí solo. Imprímalo como un PDF nuevo y elija ese.',
  'problem.document-media':
    'Este archivo contiene video, sonido o contenido 3D. Imprímalo como un PDF nuevo y elija ese.',
  'problem.document-scripts':
    'Este archivo contiene scripts. Imprímalo como un PDF nuevo y elija ese.',
  'problem.document-unsafe':
    'Este archivo contiene otro archivo o se descomprime en un tamaño muy grande. Imprímalo como un PDF nuevo y elija ese.',
  'problem.document-not-checked':
    'No pudimos revisar este archivo. Imprímalo como PDF nuevo o tómele una foto y elija esa copia.',
  'problem.inspection-unavailable':
    'No pudimos revisar este archivo por un problema de nuestra parte. Su archivo sigue aquí. Inténtelo de nuevo en unos minutos.',
  'problem.document-too-many-pixels':
    'Esta imagen tiene demasiados píxeles. Guárdela en un tamaño menor o haga una captura de pantalla y elija esa.',
  'problem.document-infected':
    'Nuestro antivirus bloqueó este archivo, así que no se envió. Elija otra copia.',
  'problem.document-limit-reached': 'Ya envió la cantidad máxima de archivos para esta solicitud.',
  'problem.document-space-exhausted':
    'No queda espacio para este archivo. Envíe uno más pequeño, como un escaneo en blanco y negro.',
  'problem.document-rejected':
    'El prestamista no pudo recibir este archivo. Revise lo que eligió en “¿Qué documento es?” o envíe otra copia.',
  'problem.asset-report-invalid': 'El informe bancario está vacío. Conecte su banco de nuevo.',
  'problem.asset-report-rejected':
    'El prestamista no pudo usar su informe bancario. Conecte su banco otra vez o envíe estados de cuenta bancarios.',
} as const satisfies Record<keyof typeof enAfter, string>;
