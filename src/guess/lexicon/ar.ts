import type { Lexicon } from './concepts.js';

export const AR: Lexicon = {
  review: 'مراجعة تقييم رأي',
  text: 'نص تعليق محتوى',
  title: 'عنوان',
  rating: 'تقييم درجة نجوم',
  language: 'لغة اللغة',
  url: 'رابط',
  likes: 'إعجاب إعجابات مفيد',
  date: 'تاريخ التاريخ وقت',
  written: 'نشر النشر كتابة',
  author: 'المستخدم مستخدم كاتب عميل العميل ضيف',
  name: 'اسم الاسم',
  id: 'رقم معرف',
  place: 'منتج المنتج فندق مطعم متجر',
  country: 'بلد البلد دولة الدولة',
  city: 'مدينة المدينة',
  reply: 'رد',
};
